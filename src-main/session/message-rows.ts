import type { Message, Part, Role, TranscriptPage } from '../../src-preload/contract/messages'
import type { NativeAnswer } from '../agent/model'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import type { CallRows } from './call-rows'
import { newId } from './ids'
import { readParts } from './read-parts'
import { createSearchIndex } from './search-index'

interface Row {
  n: number
  id: string
  session_id: string
  seq: number
  role: Role
  parts: string
  created_at: number
  streaming: number
  steer: number
  model: string | null
  usage: string | null
}

interface NewMessage {
  /** Where it had one already: a queued message keeps its own. */
  id?: string
  sessionId: string
  role: Role
  parts: Part[]
  streaming?: boolean
  steer?: boolean
  model?: string
  /** For a compaction: the seq of the first message that the model still sees. */
  hidesBefore?: number
}

export type MessageRows = ReturnType<typeof createMessageRows>

export const createMessageRows = (database: Database, calls: CallRows, now: () => number) => {
  const byId = database.prepare<Row>('SELECT * FROM messages WHERE id = ?')
  const page = database.prepare<Row>(
    'SELECT * FROM messages WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
  )
  const since = database.prepare<Row>('SELECT * FROM messages WHERE session_id = ? AND seq >= ? ORDER BY seq')
  const last = database.prepare<{ seq: number | null }>('SELECT max(seq) AS seq FROM messages WHERE session_id = ?')
  const insert = database.prepare<Row>(
    `INSERT INTO messages (id, session_id, seq, role, parts, created_at, streaming, steer, model, hides_before)
     VALUES (?1, ?2, (SELECT coalesce(max(seq), -1) + 1 FROM messages WHERE session_id = ?2), ?3, ?4, ?5, ?6, ?7, ?8, ?9)
     RETURNING *`,
  )
  const write = database.prepare('UPDATE messages SET parts = ?, streaming = ?, usage = ?, model = ? WHERE id = ?')

  const count = (sessionId: string): number => (last.get(sessionId)?.seq ?? -1) + 1

  const find = (id: string): Message | null => {
    const row = byId.get(id)
    return row ? toMessage(row) : null
  }

  const get = (id: string): Message => {
    const message = find(id)
    if (!message) throw new Error('There is no such message.')
    return message
  }

  const search = createSearchIndex(database, calls, find)

  let changes = 0

  const save = (message: Message): void => {
    changes++
    write.run(
      JSON.stringify(message.parts),
      message.streaming ? 1 : 0,
      message.usage ? JSON.stringify(message.usage) : null,
      message.model ?? null,
      message.id,
    )
    if (!message.streaming) search.add(message.id)
  }

  return {
    get,
    find,
    count,
    save,
    /** The words of messages, for the search. */
    search,
    /** Grows with every change that this process makes to messages: what was read at the same number is still true. */
    changes: (): number => changes,
    append: (message: NewMessage): Message => {
      changes++
      const row = insert.get(
        message.id ?? newId('m'),
        message.sessionId,
        message.role,
        JSON.stringify(message.parts),
        now(),
        message.streaming ? 1 : 0,
        message.steer ? 1 : 0,
        message.model ?? null,
        message.hidesBefore ?? null,
      )
      if (!row) throw new Error('A message was not saved.')
      const added = toMessage(row)
      if (!message.streaming) search.add(added.id)
      return added
    },
    ...nativeAnswers(database),
    /** The newest messages before a position, oldest first, with the calls that they show. */
    page: (sessionId: string, beforeSeq: number | undefined, limit: number): TranscriptPage => {
      const total = count(sessionId)
      const messages = page
        .all(sessionId, beforeSeq ?? total, limit)
        .map(toMessage)
        .reverse()
      return { messages, calls: calls.ofMessages(withCalls(messages)), total }
    },
    since: (sessionId: string, fromSeq: number): Message[] => since.all(sessionId, fromSeq).map(toMessage),
    last: (sessionId: string): Message | null => {
      const row = page.get(sessionId, Number.MAX_SAFE_INTEGER, 1)
      return row ? toMessage(row) : null
    },
    ...bySpeaker(database),
    ...compactions(database),
    /** Lets the model see again what a compaction hid. */
    lift: (id: string): void => {
      changes++
      database.prepare('UPDATE messages SET hides_before = NULL WHERE id = ?').run(id)
    },
    /** Removes a message and all that followed, so that no gap is left. */
    removeFrom: (sessionId: string, seq: number): void => {
      changes++
      database.prepare('DELETE FROM messages WHERE session_id = ? AND seq >= ?').run(sessionId, seq)
    },
  }
}

/** Answers as their server wrote them, apart from the messages, which the window shows: only that server reads them. */
const nativeAnswers = (database: Database) => {
  const put = database.prepare('UPDATE messages SET native = ? WHERE id = ?')
  const read = database.prepare<{ id: string; native: string }>(
    'SELECT messages.id, native FROM json_each(?) AS wanted JOIN messages ON messages.id = wanted.value WHERE native IS NOT NULL',
  )
  return {
    setNative: (id: string, native: NativeAnswer): void => {
      put.run(JSON.stringify(native), id)
    },
    natives: (ids: string[]): Map<string, NativeAnswer> =>
      new Map(read.all(JSON.stringify(ids)).map(({ id, native }) => [id, JSON.parse(native)])),
  }
}

/** Messages that are looked for by who said them. */
const bySpeaker = (database: Database) => ({
  lastOfRole: (sessionId: string, role: Role): Message | null => {
    const row = database
      .prepare<Row>('SELECT * FROM messages WHERE session_id = ? AND role = ? ORDER BY seq DESC LIMIT 1')
      .get(sessionId, role)
    return row ? toMessage(row) : null
  },
  /** The words that the session began with. */
  firstRequest: (sessionId: string): string => {
    const row = database
      .prepare<Row>(`SELECT * FROM messages WHERE session_id = ? AND role = 'user' ORDER BY seq LIMIT 1`)
      .get(sessionId)
    return row ? wordsOf(toMessage(row)) : ''
  },
  /** What the user has said, newest first, each once. */
  sent: (sessionId: string, most: number): string[] => {
    const rows = database
      .prepare<Row>(`SELECT * FROM messages WHERE session_id = ? AND role = 'user' ORDER BY seq DESC LIMIT ?`)
      .all(sessionId, most)
    return [...new Set(rows.map((row) => wordsOf(toMessage(row))).filter((words) => words.trim() !== ''))]
  },
})

const compactions = (database: Database) => ({
  /** The compaction in force, if there is one. */
  compaction: (sessionId: string): { message: Message; hidesBefore: number } | null => {
    const row = database
      .prepare<Row & { hides_before: number }>(
        'SELECT * FROM messages WHERE session_id = ? AND hides_before IS NOT NULL ORDER BY seq DESC LIMIT 1',
      )
      .get(sessionId)
    return row ? { message: toMessage(row), hidesBefore: row.hides_before } : null
  },
})

/** The ids of those messages that have calls. */
export const withCalls = (messages: Message[]): string[] =>
  messages.filter((message) => message.parts.some((part) => part.type === 'call')).map(({ id }) => id)

const usageOf = ({ usage }: Row): Pick<Message, 'usage'> => {
  const read = usage === null ? null : readJson<Message['usage'], null>(usage, null)
  return read ? { usage: read } : {}
}

const toMessage = (row: Row): Message => ({
  id: row.id,
  sessionId: row.session_id,
  seq: row.seq,
  role: row.role,
  parts: readParts(row.parts),
  createdAt: row.created_at,
  streaming: row.streaming === 1,
  ...(row.steer === 1 && { steer: true }),
  ...(row.model !== null && { model: row.model }),
  ...usageOf(row),
})

const wordsOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
