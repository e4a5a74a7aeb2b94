import type { ProcessInfo } from '../../src-preload/contract/protocol'
import type { Database } from '../database'

export type ProcessRows = ReturnType<typeof createProcessRows>

/** What is known about each process, so that it can be shown after a restart; its output is in a file of its own. */
export const createProcessRows = (database: Database) => ({
  save: (info: ProcessInfo): void => {
    database
      .prepare(
        `INSERT INTO processes (id, session_id, status, started_at, info) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, info = excluded.info`,
      )
      .run(info.id, info.sessionId, info.status, info.startedAt, JSON.stringify(info))
  },
  load: (): ProcessInfo[] =>
    database
      .prepare<{ info: string }>('SELECT info FROM processes ORDER BY started_at, rowid')
      .all()
      .map((row) => JSON.parse(row.info) as ProcessInfo),
  forget: (id: string): void => {
    database.prepare('DELETE FROM processes WHERE id = ?').run(id)
  },
})
