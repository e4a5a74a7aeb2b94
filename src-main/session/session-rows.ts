import type { Effort } from '../../src-preload/contract/models'
import type { ApprovalMode, Session, SessionStatus } from '../../src-preload/contract/sessions'
import type { TodoItem } from '../../src-preload/contract/tool-calls'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import { newId } from './ids'

interface Row {
  id: string
  key: string
  agent_id: string
  title: string
  auto_title: number
  workspace: string
  model: string
  toolset: string
  mode: ApprovalMode
  sandbox: number
  effort: Effort | null
  parent_id: string | null
  pinned: number
  archived: number
  status: SessionStatus
  created_at: number
  updated_at: number
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  cost: number
  unpriced_tokens: number
  context_tokens: number
  context_window: number
  waiting: number
}

export interface NewSession {
  /** A sub-agent's session is called as the call that began it. */
  id?: string
  key?: string
  /** `main` when left out. */
  agentId?: string
  title?: string
  workspace: string
  model: string
  toolset: string
  mode: ApprovalMode
  sandbox?: boolean
  effort?: Effort | null
  parentId?: string | null
}

export interface TokenCount {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** Null if no price is known. */
  cost: number | null
  unpricedTokens: number
}

/** What began a turn, where it was not the user: a job or a message from outside. */
export interface TurnOrigin {
  /** For whoever is asked: `Scheduled: backup`. */
  label: string
  /** The user has said that it may do everything; otherwise mode `all` counts as `safe`. */
  mayDoAll: boolean
}

export type SessionRows = ReturnType<typeof createSessionRows>

const waiting = `(SELECT count(*) FROM calls WHERE calls.session_id = sessions.id AND calls.status = 'awaiting') AS waiting`

/** Until its first message, and for ever if that has no words. */
const untitled = 'New session'

/** What the user changes of a session. */
export interface SessionPatch {
  title?: string
  model?: string
  mode?: ApprovalMode
  sandbox?: boolean
  effort?: Effort | null
  workspace?: string
}

interface RowPatch extends SessionPatch {
  toolset?: string
  key?: string
  pinned?: boolean
  archived?: boolean
}

/** Changes columns of a session, which counts as a use of it. */
type Touch = (id: string, sql: string, ...values: (string | number | null)[]) => unknown

export const createSessionRows = (database: Database, now: () => number) => {
  const one = database.prepare<Row>(`SELECT *, ${waiting} FROM sessions WHERE id = ? AND deleted_at IS NULL`)
  const all = database.prepare<Row>(
    `SELECT *, ${waiting} FROM sessions WHERE deleted_at IS NULL ORDER BY updated_at DESC, rowid DESC`,
  )
  const touch: Touch = (id, sql, ...values) =>
    database.prepare(`UPDATE sessions SET ${sql}, updated_at = ? WHERE id = ?`).run(...values, now(), id)

  const place = (id: string, column: 'pinned' | 'archived', on: boolean) =>
    database.prepare(`UPDATE sessions SET ${column} = ? WHERE id = ?`).run(on ? 1 : 0, id)

  const get = (id: string): Session => {
    const row = one.get(id)
    if (!row) throw new Error('There is no such session.')
    return toSession(row)
  }

  const lineage = createLineages(database)

  return {
    get,
    lineage,
    find: (id: string): Session | null => {
      const row = one.get(id)
      return row ? toSession(row) : null
    },
    /** Also when it is deleted, as long as it could be restored. */
    exists: (id: string): boolean => database.prepare('SELECT 1 FROM sessions WHERE id = ?').get(id) !== undefined,
    findByKey: (key: string): Session | null => {
      const row = database
        .prepare<Row>(`SELECT *, ${waiting} FROM sessions WHERE key = ? AND deleted_at IS NULL`)
        .get(key)
      return key && row ? toSession(row) : null
    },
    list: (): Session[] => all.all().map(toSession),
    countOf: (agentId: string): number =>
      database
        .prepare<{ count: number }>(
          'SELECT count(*) AS count FROM sessions WHERE agent_id = ? AND parent_id IS NULL AND deleted_at IS NULL',
        )
        .get(agentId)?.count ?? 0,
    create: (session: NewSession): Session => {
      const id = session.id ?? newId('s')
      insert(database, id, session, now())
      return get(id)
    },
    /** For what happened before it came here: the session and its messages are as old as they are. */
    backdate: (id: string, at: number): void => {
      database.prepare('UPDATE sessions SET created_at = ?, updated_at = ? WHERE id = ?').run(at, at, id)
      database.prepare('UPDATE messages SET created_at = ? WHERE session_id = ?').run(at, id)
    },
    /** A title given here is the user's own, and no message changes it any more. */
    update: (id: string, patch: RowPatch): Session => {
      database.transaction(() => {
        get(id)
        if (patch.title !== undefined) touch(id, 'title = ?, auto_title = 0', patch.title)
        if (patch.model !== undefined) touch(id, 'model = ?', patch.model)
        if (patch.mode !== undefined) touch(id, 'mode = ?', patch.mode)
        if (patch.sandbox !== undefined) touch(id, 'sandbox = ?', patch.sandbox ? 1 : 0)
        if (patch.effort !== undefined) touch(id, 'effort = ?', patch.effort)
        if (patch.workspace !== undefined) touch(id, 'workspace = ?', patch.workspace)
        if (patch.toolset !== undefined) touch(id, 'toolset = ?', patch.toolset)
        if (patch.key !== undefined) touch(id, 'key = ?', patch.key)
        // Where it stands in the list is no use of it: its time stays.
        if (patch.pinned !== undefined) place(id, 'pinned', patch.pinned)
        if (patch.archived !== undefined) place(id, 'archived', patch.archived)
      })
      return get(id)
    },
    /** Takes the title from a first message, unless there is a better one already. */
    autoTitle: (id: string, text: string): void => {
      const title = titleFrom(text)
      if (title) {
        database
          .prepare('UPDATE sessions SET title = ? WHERE id = ? AND auto_title = 1 AND title = ?')
          .run(title, id, untitled)
      }
    },
    /** A title that the model made. False where the user has given one meanwhile. */
    titleByModel: (id: string, title: string): boolean =>
      database.prepare('UPDATE sessions SET title = ? WHERE id = ? AND auto_title = 1').run(title, id) > 0,
    ...turnState(database, touch, lineage),
    ...counters(touch),
    /** Hidden at once with its children, gone for good at a later start; until then `restore` brings them back. */
    delete: (id: string): void => {
      database.prepare('UPDATE sessions SET deleted_at = ? WHERE id = ? OR parent_id = ?').run(now(), id, id)
    },
    restore: (id: string): Session => {
      database.prepare('UPDATE sessions SET deleted_at = NULL WHERE id = ? OR parent_id = ?').run(id, id)
      return get(id)
    },
  }
}

/**
 * The session, the one that it works for, and so on. Whom a session works for never changes, and is asked several times
 * for each call.
 */
const createLineages = (database: Database): ((id: string) => readonly string[]) => {
  const parent = database.prepare<{ parent_id: string | null }>('SELECT parent_id FROM sessions WHERE id = ?')
  const lineages = new Map<string, readonly string[]>()
  return (id) => {
    const known = lineages.get(id)
    if (known) return known
    const ids: string[] = []
    for (let next: string | null = id; next !== null && !ids.includes(next); next = parent.get(next)?.parent_id ?? null)
      ids.push(next)
    if (parent.get(id)) lineages.set(id, ids)
    return ids
  }
}

const insert = (database: Database, id: string, session: NewSession, at: number): void => {
  database
    .prepare(
      `INSERT INTO sessions (id, key, agent_id, title, auto_title, workspace, model, toolset, mode, sandbox, effort, parent_id, status, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'idle', ?, ?)`,
    )
    .run(
      id,
      session.key ?? '',
      session.agentId ?? 'main',
      session.title ?? untitled,
      session.title === undefined ? 1 : 0,
      session.workspace,
      session.model,
      session.toolset,
      session.mode,
      session.sandbox ? 1 : 0,
      session.effort ?? null,
      session.parentId ?? null,
      at,
      at,
    )
}

/** What the turns of a session leave: who runs one, what began it, and the steps of the agent. */
const turnState = (database: Database, touch: Touch, lineage: (id: string) => readonly string[]) => {
  const beganBy = database.prepare<{ origin: string | null }>('SELECT origin FROM sessions WHERE id = ?')
  return {
    setStatus: (id: string, status: SessionStatus, owner: string | null): void => {
      touch(id, 'status = ?, owner = ?', status, owner)
    },
    /** What began the latest turn of this session or of one that it works for; null where it was the user. */
    origin: (id: string): TurnOrigin | null => {
      const found = lineage(id).flatMap((each) => beganBy.get(each)?.origin ?? [])[0]
      return found === undefined ? null : readJson<TurnOrigin, null>(found, null)
    },
    setOrigin: (id: string, origin: TurnOrigin | null): void => {
      database.prepare('UPDATE sessions SET origin = ? WHERE id = ?').run(origin && JSON.stringify(origin), id)
    },
    /** The process that runs its turn, if one does. */
    owner: (id: string): string | null =>
      database.prepare<{ owner: string | null }>('SELECT owner FROM sessions WHERE id = ?').get(id)?.owner ?? null,
    todo: (id: string): TodoItem[] => {
      const row = database.prepare<{ todo: string }>('SELECT todo FROM sessions WHERE id = ?').get(id)
      return row ? readJson<TodoItem[]>(row.todo, []) : []
    },
    setTodo: (id: string, items: TodoItem[]): void => {
      touch(id, 'todo = ?', JSON.stringify(items))
    },
  }
}

const spending = `input_tokens = input_tokens + ?, output_tokens = output_tokens + ?, cached_tokens = cached_tokens + ?,
  cost = cost + ?, unpriced_tokens = unpriced_tokens + ?`
const spent = ({ inputTokens, outputTokens, cachedTokens, cost, unpricedTokens }: TokenCount) =>
  [inputTokens, outputTokens, cachedTokens, cost ?? 0, unpricedTokens] as const

/** What was used, and how full the window is. */
const counters = (touch: Touch) => ({
  /** What was used on its behalf, perhaps in a context that is not its own. */
  addSpending: (id: string, count: TokenCount): void => {
    touch(id, spending, ...spent(count))
  },
  /** What was used for an answer, and how full the window is now. */
  addUsage: (id: string, count: TokenCount, contextWindow: number): void => {
    const contextTokens = count.inputTokens + count.outputTokens
    touch(id, `${spending}, context_tokens = ?, context_window = ?`, ...spent(count), contextTokens, contextWindow)
  },
  /** What a hosted agent tells: how full its window is, and what was spent since it last told. */
  setContext: (id: string, used: number, size: number, cost: number): void => {
    touch(id, 'context_tokens = ?, context_window = ?, cost = cost + ?', used, size, cost)
  },
})

const toSession = (row: Row): Session => ({
  id: row.id,
  key: row.key,
  agentId: row.agent_id,
  title: row.title,
  autoTitle: row.auto_title === 1,
  workspace: row.workspace,
  model: row.model,
  toolset: row.toolset,
  mode: row.mode,
  sandbox: row.sandbox === 1,
  effort: row.effort,
  parentId: row.parent_id,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  status: row.status,
  waiting: row.waiting,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  usage: {
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    cost: row.cost === 0 && row.unpriced_tokens > 0 ? null : row.cost,
    unpricedTokens: row.unpriced_tokens,
    contextTokens: row.context_tokens,
    contextWindow: row.context_window,
  },
})

const titleLength = 60

/** The first line with words in it, without markdown's marks, cut at a word. */
export const titleFrom = (text: string): string => {
  const line = text
    .split('\n')
    .map((candidate) =>
      candidate
        .replace(/^[\s#>*`-]+/, '')
        .replace(/[`*]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .find((candidate) => candidate !== '')
  if (!line) return ''
  const characters = [...line]
  if (characters.length <= titleLength) return line
  const cut = characters.slice(0, titleLength - 1).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > titleLength / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`
}
