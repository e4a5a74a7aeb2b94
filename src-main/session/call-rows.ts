import type { Question } from '../../src-preload/contract/approval'
import type { Content } from '../../src-preload/contract/content'
import type { Display, Grant, ToolCall, ToolState, ToolStatus } from '../../src-preload/contract/tool-calls'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import { newId } from './ids'
import { readState } from './read-parts'

interface Row {
  id: string
  session_id: string
  message_id: string
  provider_id: string
  name: string
  arguments: string
  gist: string
  state: string
  result: string | null
  created_at: number
  started_at: number | null
  ended_at: number | null
  grant: string | null
}

/** What the model was told about a call. */
export interface CallResult {
  content: Content[]
  isError: boolean
}

interface NewCall {
  sessionId: string
  messageId: string
  position: number
  providerId: string
  name: string
  arguments: string
  gist?: string
  /** It is made outside the sandbox, because the user wants that. */
  outside?: boolean
}

/** What was learnt about a call on the way to a state, and is saved with it. */
export interface CallFacts {
  gist?: string
  grant?: Grant
}

export type CallRows = ReturnType<typeof createCallRows>

const ended: ReadonlySet<ToolStatus> = new Set(['done', 'failed', 'denied', 'aborted'])

export const hasEnded = (state: ToolState): boolean => ended.has(state.status)

export const createCallRows = (database: Database, now: () => number) => {
  const byId = database.prepare<Row>('SELECT * FROM calls WHERE id = ?')
  const insert = database.prepare<Row>(
    `INSERT INTO calls (id, session_id, message_id, position, provider_id, name, arguments, gist, outside, status, state, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?) RETURNING *`,
  )
  const update = database.prepare<Row>(
    `UPDATE calls SET status = ?, state = ?, question_id = coalesce(?, question_id),
       started_at = CASE WHEN ? THEN coalesce(started_at, ?) ELSE started_at END,
       ended_at = CASE WHEN ? THEN ? ELSE ended_at END,
       gist = coalesce(?, gist), "grant" = coalesce(?, "grant")
     WHERE id = ? RETURNING *`,
  )

  // One statement for any number of messages: SQLite reads the list as a table.
  const ofMessages = database.prepare<Row>(
    `SELECT calls.* FROM json_each(?) AS wanted JOIN calls ON calls.message_id = wanted.value
     ORDER BY wanted.key, calls.position`,
  )

  const find = (id: string): ToolCall | null => {
    const row = byId.get(id)
    return row ? toCall(row) : null
  }

  const get = (id: string): ToolCall => toCall(present(byId.get(id)))

  const change = (id: string, state: ToolState, { gist, grant }: CallFacts = {}): ToolCall | null => {
    const row = update.get(
      state.status,
      JSON.stringify(state),
      state.status === 'awaiting' ? state.question.id : null,
      state.status === 'running' ? 1 : 0,
      now(),
      hasEnded(state) ? 1 : 0,
      now(),
      gist ?? null,
      grant ? JSON.stringify(grant) : null,
      id,
    )
    return row ? toCall(row) : null
  }

  return {
    get,
    find,
    create: (call: NewCall): ToolCall => {
      const row = insert.get(
        newId('c'),
        call.sessionId,
        call.messageId,
        call.position,
        call.providerId,
        call.name,
        call.arguments,
        call.gist ?? '',
        call.outside ? 1 : 0,
        JSON.stringify({ status: 'pending' } satisfies ToolState),
        now(),
      )
      return toCall(present(row))
    },
    ofMessages: (messageIds: string[]): ToolCall[] =>
      messageIds.length === 0 ? [] : ofMessages.all(JSON.stringify(messageIds)).map(toCall),
    /** The first change to `running` and the change to an end set the clock of the card. */
    setState: (id: string, state: ToolState, facts: CallFacts = {}): ToolCall => present(change(id, state, facts)),
    /** The same; null if the call is gone with its session. */
    changeState: change,
    /** The calls of messages, and what the model was told about each. */
    withResults: (messageIds: string[]): { calls: ToolCall[]; results: Map<string, CallResult> } => {
      const rows = messageIds.length === 0 ? [] : ofMessages.all(JSON.stringify(messageIds))
      return { calls: rows.map(toCall), results: new Map(rows.map((row) => [row.id, resultOf(row)])) }
    },
    results: (calls: ToolCall[]): Map<string, CallResult> => {
      if (calls.length === 0) return new Map()
      const rows = database
        .prepare<Row>('SELECT calls.* FROM json_each(?) AS wanted JOIN calls ON calls.id = wanted.value')
        .all(JSON.stringify(calls.map((call) => call.id)))
      return new Map(rows.map((row) => [row.id, resultOf(row)]))
    },
    ...lookups(database),
    ...afterwards(database, (id) => present(byId.get(id))),
  }
}

/** Calls that are looked for by something other than their message. */
const lookups = (database: Database) => ({
  /** Calls that wait for the user, oldest first; of one session, or of all. */
  awaiting: (sessionId?: string): ToolCall[] =>
    database
      .prepare<Row>(
        `SELECT calls.* FROM calls JOIN sessions ON sessions.id = calls.session_id
         WHERE calls.status = 'awaiting' AND sessions.deleted_at IS NULL AND (?1 IS NULL OR calls.session_id = ?1)
         ORDER BY calls.created_at, calls.rowid`,
      )
      .all(sessionId ?? null)
      .map(toCall),
  open: (sessionId: string): ToolCall[] =>
    database
      .prepare<Row>(
        `SELECT * FROM calls WHERE session_id = ? AND status IN ('pending', 'awaiting', 'running') ORDER BY rowid`,
      )
      .all(sessionId)
      .map(toCall),
  /** The call that asks, or once asked, this question. */
  byQuestion: (questionId: string): ToolCall | null => {
    const row = database.prepare<Row>('SELECT * FROM calls WHERE question_id = ?').get(questionId)
    return row ? toCall(row) : null
  },
  /** Reads every call, so use it rarely. */
  lastByRule: (ruleId: string): string | null =>
    database
      .prepare<{ id: string }>(
        `SELECT calls.id FROM calls JOIN sessions ON sessions.id = calls.session_id
         WHERE json_extract("grant", '$.ruleId') = ? AND sessions.deleted_at IS NULL
         ORDER BY calls.created_at DESC LIMIT 1`,
      )
      .get(ruleId)?.id ?? null,
  isOutside: (id: string): boolean =>
    database.prepare<{ outside: number }>('SELECT outside FROM calls WHERE id = ?').get(id)?.outside === 1,
})

/** What is added to a call that has ended. */
const afterwards = (database: Database, read: (id: string) => Row) => ({
  /** Adds a line to what the model reads of a call that has ended, without touching its clock. */
  addRemark: (id: string, text: string): ToolCall => {
    const row = read(id)
    const state = readState(row.state)
    const remark: Content = { type: 'text', text }
    if (state.status === 'done' || state.status === 'failed') {
      const longer = { ...state, content: [...state.content, remark] }
      database.prepare('UPDATE calls SET state = ? WHERE id = ?').run(JSON.stringify(longer), id)
    } else {
      const { content, isError } = resultOf(row)
      database
        .prepare('UPDATE calls SET result = ? WHERE id = ?')
        .run(JSON.stringify({ content: [...content, remark], isError } satisfies CallResult), id)
    }
    return toCall(read(id))
  },
  /** What turned out after the end of a call, for its card only. */
  setDisplay: (id: string, display: Display): ToolCall => {
    const state = readState(read(id).state)
    database.prepare('UPDATE calls SET state = ? WHERE id = ?').run(JSON.stringify({ ...state, display }), id)
    return toCall(read(id))
  },
  /** Kept apart from the state, which shows a denied or stopped call to the user in other words. */
  setResult: (id: string, result: CallResult): void => {
    database.prepare('UPDATE calls SET result = ? WHERE id = ?').run(JSON.stringify(result), id)
  },
})

const present = <Found>(found: Found | null | undefined): Found => {
  if (!found) throw new Error('There is no such call.')
  return found
}

const toCall = (row: Row): ToolCall => ({
  id: row.id,
  sessionId: row.session_id,
  messageId: row.message_id,
  providerId: row.provider_id,
  name: row.name,
  arguments: row.arguments,
  gist: row.gist,
  state: readState(row.state),
  createdAt: row.created_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  grant: row.grant === null ? null : readJson<Grant, null>(row.grant, null),
})

/** A call without a recorded result never finished, which is what the model is told. */
const resultOf = (row: Row): CallResult => {
  const result = row.result === null ? null : readJson<CallResult, null>(row.result, null)
  if (result) return result
  const state = readState(row.state)
  switch (state.status) {
    case 'done':
      return { content: state.content, isError: false }
    case 'failed':
      return { content: state.content, isError: true }
    case 'denied':
      return { content: [{ type: 'text', text: state.message }], isError: true }
    case 'aborted':
      return {
        content: [{ type: 'text', text: `This call was stopped before its end: ${state.message}` }],
        isError: true,
      }
    default:
      return { content: [{ type: 'text', text: 'This call has not ended.' }], isError: true }
  }
}

export const questionOf = (call: ToolCall): Question | null =>
  call.state.status === 'awaiting' ? call.state.question : null
