import type { Attachment, QueuedMessage } from '../../src-preload/contract/messages'
import type { Database } from '../database'
import { newId } from './ids'

interface Row {
  id: string
  session_id: string
  text: string
  attachments: string
  created_at: number
}

/** Messages that wait for the running turn to end, in the order in which they will be sent. */
export const createQueueRows = (database: Database, now: () => number) => {
  const list = (sessionId: string): QueuedMessage[] =>
    database.prepare<Row>('SELECT * FROM queue WHERE session_id = ? ORDER BY position').all(sessionId).map(toQueued)

  const remove = (sessionId: string, id: string): boolean =>
    database.prepare('DELETE FROM queue WHERE session_id = ? AND id = ?').run(sessionId, id) > 0

  return {
    list,
    remove,
    add: (sessionId: string, text: string, attachments: Attachment[]): string => {
      const id = newId('w')
      database
        .prepare('INSERT INTO queue (id, session_id, text, attachments, created_at) VALUES (?, ?, ?, ?, ?)')
        .run(id, sessionId, text, JSON.stringify(attachments), now())
      return id
    },
    edit: (sessionId: string, id: string, text: string): boolean =>
      database.prepare('UPDATE queue SET text = ? WHERE session_id = ? AND id = ?').run(text, sessionId, id) > 0,
    /** The one with this id, or the first, taken out of the queue. */
    take: (sessionId: string, id?: string): QueuedMessage | null => {
      const queued = list(sessionId).find((candidate) => id === undefined || candidate.id === id)
      return queued && remove(sessionId, queued.id) ? queued : null
    },
  }
}

const toQueued = (row: Row): QueuedMessage => ({
  id: row.id,
  sessionId: row.session_id,
  text: row.text,
  attachments: JSON.parse(row.attachments) as Attachment[],
  createdAt: row.created_at,
})
