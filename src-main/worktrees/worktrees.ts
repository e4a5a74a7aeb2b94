import { cpSync, existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import type {
  Worktree,
  WorktreeEnd,
  WorktreeEndPlan,
  WorktreeSetup,
  WorktreesEvent,
} from '../../src-preload/contract/worktrees'
import type { Git } from '../git/git'
import { findRepository, type Repository, readStatus } from '../git/repository'
import { endWorktree } from './end-worktree'
import { planEnds } from './plan-ends'
import type { WorktreeRows } from './worktree-rows'

/** Makes branches and folders for sessions, and brings back what was done there. */
export interface Worktrees {
  list(): Worktree[]
  of(sessionId: string): Worktree | null
  setupFor(folder: string): Promise<WorktreeSetup>
  /**
   * Makes a work tree of the repository that a folder is in. `open` makes the session in it; if that fails, nothing is
   * left behind.
   */
  create(wish: { folder: string; name: string; setup?: WorktreeSetup; open(path: string): string }): Promise<Worktree>
  plan(sessionId: string): Promise<WorktreeEndPlan[]>
  /** Does what a plan with this stamp says. */
  end(sessionId: string, end: WorktreeEnd, stamp: string): Promise<void>
}

interface WorktreesDeps {
  git: Git
  rows: WorktreeRows
  publish(event: WorktreesEvent): void
  /** Why the session must not be ended now; null where nothing stands against it. */
  busy(sessionId: string): string | null
  /** The session works in another folder from now on. */
  moveSession(sessionId: string, folder: string): void
  /** Runs the set-up command where the user sees it. */
  runSetup(worktree: Worktree, command: string): Promise<void>
}

const firstPort = 3000
const portStep = 10

export function createWorktrees(deps: WorktreesDeps): Worktrees {
  const { git, rows, publish } = deps
  const announce = (): void => publish({ type: 'worktrees', worktrees: rows.list() })

  const of = (sessionId: string): Worktree | null =>
    rows.list().find((worktree) => worktree.sessionId === sessionId) ?? null

  const required = (sessionId: string): Worktree => {
    const worktree = of(sessionId)
    if (!worktree) throw new Error('This session has no work tree of its own.')
    return worktree
  }

  const repositoryOf = async (folder: string): Promise<Repository> => {
    const repository = await findRepository(git, folder)
    if (!repository) throw new Error('A work tree needs a git repository, and this folder is in none.')
    return repository
  }

  /** The main folder, also where the session works in a work tree itself. */
  const mainFolder = ({ commonDir, root }: Repository): string =>
    basename(commonDir) === '.git' ? dirname(commonDir) : root

  const freePort = (): number => {
    const taken = new Set(rows.list().map(({ port }) => port))
    let port = firstPort + portStep
    while (taken.has(port)) port += portStep
    return port
  }

  const plan = async (sessionId: string): Promise<WorktreeEndPlan[]> =>
    planEnds(git, required(sessionId), deps.busy(sessionId))

  return {
    list: rows.list,
    of,
    setupFor: async (folder) => rows.setup(mainFolder(await repositoryOf(folder))),
    create: async ({ folder, name, setup, open }) => {
      const repository = await repositoryOf(folder)
      const status = await readStatus(git, repository)
      if (status.head === null) throw new Error('The repository has no commit yet. Commit something first.')
      if (status.branch === null) throw new Error('HEAD is detached. Check out a branch first.')
      const main = mainFolder(repository)
      const { branch, path } = await freeName(git, main, name)
      const { commonDir } = repository
      mkdirSync(dirname(path), { recursive: true })
      const args = ['worktree', 'add', '-q', '-b', branch, path, status.branch]
      await git(main, args, { writable: [dirname(path), commonDir], timeoutMs: 120_000 })
      const wanted = setup ?? rows.setup(main)
      let worktree: Worktree
      try {
        copyFiles(main, path, wanted.copy)
        const real = realpathSync(path)
        worktree = {
          ...{ repository: main, path: real, branch, base: status.branch, port: freePort() },
          sessionId: open(real),
        }
        rows.add(worktree)
      } catch (error) {
        await endWorktree(git, { repository: main, path, branch }, 'remove').catch(() => {})
        throw error
      }
      if (setup) rows.setSetup(main, setup)
      announce()
      if (wanted.command.trim() !== '') await deps.runSetup(worktree, wanted.command)
      return worktree
    },
    plan,
    end: async (sessionId, end, stamp) => {
      const worktree = required(sessionId)
      const now = (await plan(sessionId)).find((each) => each.end === end)
      if (!now || now.stamp !== stamp) throw new Error('Something has changed since this was shown. Look at it again.')
      if (now.obstacle !== undefined) throw new Error(now.obstacle)
      await endWorktree(git, worktree, end)
      if (end === 'rebase') return
      rows.remove(sessionId)
      if (end !== 'keep') deps.moveSession(sessionId, worktree.repository)
      announce()
    },
  }
}

/** A branch and a folder that do not exist yet: `deckhand/fix-login`, beside the repository. */
async function freeName(git: Git, main: string, wish: string): Promise<{ branch: string; path: string }> {
  const plain = wish
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  const name = plain || 'session'
  const folder = join(dirname(main), `${basename(main)}.worktrees`)
  for (let count = 1; count < 1000; count++) {
    const each = count === 1 && plain !== '' ? name : `${name}-${count}`
    const branch = `deckhand/${each}`
    const path = join(folder, each)
    const known = await git(main, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], {
      plain: true,
      accept: [0, 1],
    })
    if (known.code === 1 && !existsSync(path)) return { branch, path }
  }
  throw new Error(`There are too many work trees named ${name}.`)
}

/** Plain files and folders only, and none from outside the repository. */
function copyFiles(from: string, to: string, names: readonly string[]): void {
  for (const name of names) {
    const source = join(from, name)
    const below = relative(from, source)
    if (below === '' || below.startsWith('..') || isAbsolute(below) || below.split('/')[0] === '.git')
      throw new Error(`${name} is not in the repository, so it cannot be copied.`)
    const found = lstatSync(source, { throwIfNoEntry: false })
    if (!found || found.isSymbolicLink() || existsSync(join(to, name))) continue
    cpSync(source, join(to, name), { recursive: true, verbatimSymlinks: true, errorOnExist: false, force: false })
  }
}
