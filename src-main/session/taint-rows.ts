import type { Database } from '../database'

/** Sessions that have read strangers' words. It does not wear off: nobody can tell what a model still remembers. */
export const createTaintRows = (database: Database, now: () => number) => {
  const one = database.prepare('SELECT 1 FROM tainted_sessions WHERE session_id = ?')
  const parent = database.prepare<{ parent_id: string | null }>('SELECT parent_id FROM sessions WHERE id = ?')
  return {
    /** Of the session itself or one that it works for. */
    has: (sessionId: string): boolean => {
      const seen = new Set<string>()
      for (let id: string | null = sessionId; id !== null && !seen.has(id); id = parent.get(id)?.parent_id ?? null) {
        if (one.get(id) !== undefined) return true
        seen.add(id)
      }
      return false
    },
    add: (sessionId: string): void => {
      database.prepare('INSERT OR IGNORE INTO tainted_sessions VALUES (?, ?)').run(sessionId, now())
    },
  }
}
