import type { Database } from '../database'
import type { SessionRows } from './session-rows'

/** Sessions that have read untrusted text. The mark is never removed: nobody can tell what a model still remembers. */
export const createTaintRows = (database: Database, sessions: Pick<SessionRows, 'lineage'>, now: () => number) => {
  const one = database.prepare('SELECT 1 FROM tainted_sessions WHERE session_id = ?')
  return {
    /** Whether the session, or one that it works for, has read untrusted text. */
    has: (sessionId: string): boolean => sessions.lineage(sessionId).some((id) => one.get(id) !== undefined),
    add: (sessionId: string): void => {
      database.prepare('INSERT OR IGNORE INTO tainted_sessions VALUES (?, ?)').run(sessionId, now())
    },
  }
}
