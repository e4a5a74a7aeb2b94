import type { Attachment, QueuedMessage } from '../../src-preload/contract/messages'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import { newId } from './ids'
import type { TurnOrigin } from './session-rows'

interface Row {
  id: string
  session_id: string
  text: string
  attachments: string
  created_at: number
  origin: string | null
}

/** A message whose turn has come, with what sent it where that was not the user. */
interface TakenMessage extends QueuedMessage {
  origin: TurnOrigin | null
}

/** Messages that wait for the running turn to end, in the order in which they will be sent. */
export const createQueueRows = (database: Database, now: () => number) => {
  const rows = (sessionId: string): Row[] =>
    database.prepare<Row>('SELECT * FROM queue WHERE session_id = ? ORDER BY position').all(sessionId)

  const remove = (sessionId: string, id: string): boolean =>
    database.prepare('DELETE FROM queue WHERE session_id = ? AND id = ?').run(sessionId, id) > 0

  return {
    list: (sessionId: string): QueuedMessage[] => rows(sessionId).map(toQueued),
    remove,
    add: (sessionId: string, text: string, attachments: Attachment[], origin: TurnOrigin | null = null): string => {
      const id = newId('w')
      database
        .prepare('INSERT INTO queue (id, session_id, text, attachments, created_at, origin) VALUES (?, ?, ?, ?, ?, ?)')
        .run(id, sessionId, text, JSON.stringify(attachments), now(), origin && JSON.stringify(origin))
      return id
    },
    isEmpty: (sessionId: string): boolean =>
      database.prepare('SELECT 1 FROM queue WHERE session_id = ? LIMIT 1').get(sessionId) === undefined,
    moveToFront: (sessionId: string, id: string): boolean =>
      database
        .prepare('UPDATE queue SET position = (SELECT min(position) - 1 FROM queue) WHERE session_id = ? AND id = ?')
        .run(sessionId, id) > 0,
    edit: (sessionId: string, id: string, text: string): boolean =>
      database.prepare('UPDATE queue SET text = ? WHERE session_id = ? AND id = ?').run(text, sessionId, id) > 0,
    /** The one with this id, or the first, taken out of the queue. */
    take: (sessionId: string, id?: string): TakenMessage | null => {
      const row = rows(sessionId).find((candidate) => id === undefined || candidate.id === id)
      if (!row || !remove(sessionId, row.id)) return null
      return { ...toQueued(row), origin: row.origin === null ? null : readJson<TurnOrigin, null>(row.origin, null) }
    },
  }
}

const toQueued = (row: Row): QueuedMessage => ({
  id: row.id,
  sessionId: row.session_id,
  text: row.text,
  attachments: readJson<Attachment[]>(row.attachments, []),
  createdAt: row.created_at,
})
