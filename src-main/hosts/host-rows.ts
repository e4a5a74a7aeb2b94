import type { HostedInfo } from '../../src-preload/contract/hosted'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'

interface HostRow {
  agent: string
  /** What the agent calls the session. */
  remoteId: string
  folder: string
  info: HostedInfo | null
}

export type HostRows = ReturnType<typeof createHostRows>

export const createHostRows = (database: Database) => ({
  find: (sessionId: string): HostRow | null => {
    const row = database
      .prepare<{ agent: string; remote_id: string; folder: string; info: string }>(
        'SELECT agent, remote_id, folder, info FROM hosted_sessions WHERE session_id = ?',
      )
      .get(sessionId)
    if (!row) return null
    const { agent, remote_id: remoteId, folder, info } = row
    return { agent, remoteId, folder, info: readJson<HostedInfo, null>(info, null) }
  },
  /** The position of the last message that the agent has read; -1 where it has read none. */
  sent: (sessionId: string): number =>
    database.prepare<{ sent: number }>('SELECT sent FROM hosted_sessions WHERE session_id = ?').get(sessionId)?.sent ??
    -1,
  setSent: (sessionId: string, seq: number): void => {
    database.prepare('UPDATE hosted_sessions SET sent = ? WHERE session_id = ?').run(seq, sessionId)
  },
  /** An agent that begins anew has read nothing. */
  forgetSent: (sessionId: string): void => {
    database.prepare('UPDATE hosted_sessions SET sent = -1 WHERE session_id = ?').run(sessionId)
  },
  remove: (sessionId: string): void => {
    database.prepare('DELETE FROM hosted_sessions WHERE session_id = ?').run(sessionId)
  },
  save: (sessionId: string, { agent, remoteId, folder, info }: HostRow): void => {
    database
      .prepare(
        `INSERT INTO hosted_sessions (session_id, agent, remote_id, folder, info) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (session_id) DO UPDATE SET agent = excluded.agent, remote_id = excluded.remote_id,
           folder = excluded.folder, info = excluded.info`,
      )
      .run(sessionId, agent, remoteId, folder, JSON.stringify(info))
  },
})
