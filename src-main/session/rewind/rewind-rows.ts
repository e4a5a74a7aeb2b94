import type { Database } from '../../database'
import type { WentBack } from '../../receipts/rewind-paths'
import { readJson } from '../../storage/read-json'
import { newId } from '../ids'

type Row = Record<string, string | number | null>

/** Messages and their calls as the database has them, to be put back later. */
interface KeptChat {
  messages: Row[]
  calls: Row[]
}

interface Rewind {
  id: string
  sessionId: string
  /** The position of the first message that was removed; `null` if the chat was kept. */
  fromSeq: number | null
  chat: KeptChat
  files: WentBack[]
}

/** What a rewind removed, kept until it is undone. */
export const createRewindRows = (database: Database, now: () => number) => {
  const messagesFrom = (sessionId: string, fromSeq: number): Row[] =>
    database
      .prepare<Row>('SELECT * FROM messages WHERE session_id = ? AND seq >= ? ORDER BY seq')
      .all(sessionId, fromSeq)

  const callsFrom = (sessionId: string, fromSeq: number): Row[] =>
    database
      .prepare<Row>(
        `SELECT calls.* FROM calls JOIN messages ON messages.id = calls.message_id
         WHERE messages.session_id = ? AND messages.seq >= ? ORDER BY messages.seq, calls.position`,
      )
      .all(sessionId, fromSeq)

  const insert = (table: 'messages' | 'calls', row: Row): void => {
    const columns = Object.keys(row)
    const names = columns.map((column) => `"${column}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    database.prepare(`INSERT INTO ${table} (${names}) VALUES (${places})`).run(...Object.values(row))
  }

  return {
    /** The chat from a position on, as it is. */
    chatFrom: (sessionId: string, fromSeq: number): KeptChat => ({
      messages: messagesFrom(sessionId, fromSeq),
      calls: callsFrom(sessionId, fromSeq),
    }),
    /** Puts messages back, in their order and without gaps from a position on. Returns their ids. */
    putBack: (chat: KeptChat, fromSeq: number): string[] => {
      for (const [index, row] of chat.messages.entries()) {
        const { n: _, ...rest } = row
        insert('messages', { ...rest, seq: fromSeq + index })
      }
      for (const row of chat.calls) insert('calls', row)
      return chat.messages.map(({ id }) => String(id))
    },
    add: (rewind: Omit<Rewind, 'id'>): string => {
      const id = newId('b')
      const { sessionId, fromSeq, chat, files } = rewind
      database
        .prepare('INSERT INTO rewinds (id, session_id, at, from_seq, chat, files) VALUES (?, ?, ?, ?, ?, ?)')
        .run(id, sessionId, now(), fromSeq, JSON.stringify(chat), JSON.stringify(files))
      return id
    },
    find: (id: string): Rewind | null => {
      const row = database
        .prepare<{ session_id: string; from_seq: number | null; chat: string; files: string }>(
          'SELECT session_id, from_seq, chat, files FROM rewinds WHERE id = ?',
        )
        .get(id)
      if (!row) return null
      const chat = readJson<KeptChat, null>(row.chat, null)
      if (!chat) throw new Error('What went back can no longer be read.')
      return {
        id,
        sessionId: row.session_id,
        fromSeq: row.from_seq,
        chat,
        files: readJson<WentBack[]>(row.files, []),
      }
    },
    remove: (id: string): void => void database.prepare('DELETE FROM rewinds WHERE id = ?').run(id),
  }
}
