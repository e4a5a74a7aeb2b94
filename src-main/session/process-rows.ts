import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import { isAlive } from './owner'

/** What is known about each process, so that it can be shown after a restart; its output is in a file of its own. */
export const createProcessRows = (database: Database, owner: string) => ({
  /** Without its prompt, which is temporary and may contain what was typed before it. */
  save: ({ prompt: _, ...info }: ProcessInfo): void => {
    database
      .prepare(
        `INSERT INTO processes (id, session_id, status, started_at, info, owner) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, info = excluded.info, owner = excluded.owner`,
      )
      .run(info.id, info.sessionId, info.status, info.startedAt, JSON.stringify(info), owner)
  },
  /** Processes of earlier runs; those of another running Deckhand are left out. */
  load: (): ProcessInfo[] =>
    database
      .prepare<{ info: string; status: string; owner: string | null }>(
        'SELECT info, status, owner FROM processes ORDER BY started_at, rowid',
      )
      .all()
      .filter((row) => row.status !== 'running' || row.owner === null || row.owner === owner || !isAlive(row.owner))
      .flatMap((row) => readJson<ProcessInfo, []>(row.info, [])),
  forget: (id: string): void => {
    database.prepare('DELETE FROM processes WHERE id = ?').run(id)
  },
})
