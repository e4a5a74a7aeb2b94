import { createHash } from 'node:crypto'
import type { Database } from '../database'

/** What the user has said about the instructions of a folder. */
export interface FolderRow {
  /** `seen`: a line has told of them, and nothing was decided. */
  verdict: 'seen' | 'used' | 'off'
  /** Real paths outside the folder that its files may import. */
  outside: string[]
}

export const createInstructionRows = (database: Database) => ({
  find(folder: string): FolderRow | null {
    const row = database
      .prepare<{ verdict: FolderRow['verdict']; outside: string }>(
        'SELECT verdict, outside FROM instruction_folders WHERE folder = ?',
      )
      .get(folder)
    return row ? { verdict: row.verdict, outside: JSON.parse(row.outside) } : null
  },
  save(folder: string, { verdict, outside }: FolderRow): void {
    database.durably(() =>
      database
        .prepare('INSERT OR REPLACE INTO instruction_folders VALUES (?, ?, ?)')
        .run(folder, verdict, JSON.stringify(outside)),
    )
  },
  /** The files that a session has been told the words of, with a hash of them. */
  told: (sessionId: string): Map<string, string> =>
    new Map(
      database
        .prepare<{ path: string; hash: string }>('SELECT path, hash FROM told_instructions WHERE session_id = ?')
        .all(sessionId)
        .map(({ path, hash }) => [path, hash]),
    ),
  tell(sessionId: string, path: string, hash: string): void {
    database.prepare('INSERT OR REPLACE INTO told_instructions VALUES (?, ?, ?)').run(sessionId, path, hash)
  },
  /** After a summary the words are no longer in front of the model. */
  forgetTold(sessionId: string): void {
    database.prepare('DELETE FROM told_instructions WHERE session_id = ?').run(sessionId)
  },
})

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
