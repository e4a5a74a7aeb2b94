import type { Worktree, WorktreeSetup } from '../../src-preload/contract/worktrees'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'

export type WorktreeRows = ReturnType<typeof createWorktreeRows>

interface Row extends Omit<Worktree, 'sessionId' | 'base'> {
  session_id: string
  base: string
}

/** Work trees of sessions, and what each repository wants to be done for a new one. */
export const createWorktreeRows = (database: Database) => {
  /** Asked for with every process that is started. */
  let known: Worktree[] | null = null
  const list = (): Worktree[] => {
    known ??= database
      .prepare<Row>('SELECT session_id, repository, path, branch, base, port FROM worktrees ORDER BY rowid')
      .all()
      .map(({ session_id: sessionId, ...row }) => ({ sessionId, ...row }))
    return known
  }
  const add = ({ sessionId, repository, path, branch, base, port }: Worktree): void => {
    known = null
    database
      .prepare('INSERT INTO worktrees (session_id, repository, path, branch, base, port) VALUES (?, ?, ?, ?, ?, ?)')
      .run(sessionId, repository, path, branch, base, port)
  }
  const remove = (sessionId: string): void => {
    known = null
    database.prepare('DELETE FROM worktrees WHERE session_id = ?').run(sessionId)
  }
  return { list, add, remove, ...setupsIn(database) }
}

const setupsIn = (database: Database) => ({
  setup: (repository: string): WorktreeSetup => {
    const row = database
      .prepare<{ setup: string }>('SELECT setup FROM worktree_setups WHERE repository = ?')
      .get(repository)
    return readJson<WorktreeSetup>(row?.setup ?? '', { command: '', copy: ['.env'] })
  },
  setSetup: (repository: string, setup: WorktreeSetup): void =>
    void database
      .prepare('INSERT OR REPLACE INTO worktree_setups (repository, setup) VALUES (?, ?)')
      .run(repository, JSON.stringify(setup)),
})

/** Each work tree has ports of its own, so that two servers of one project do not meet. */
export function portsIn(worktrees: readonly Worktree[], cwd: string): Record<string, string> | undefined {
  const found = worktrees.find(({ path }) => cwd === path || cwd.startsWith(`${path}/`))
  return found && { PORT: String(found.port), DECKHAND_PORT_OFFSET: String(found.port - 3000) }
}
