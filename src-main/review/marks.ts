import type { FileImage } from '../../src-preload/contract/receipts'
import type { ReviewComment } from '../../src-preload/contract/review'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'

export type Marks = ReturnType<typeof createMarks>

interface Row {
  viewed: string | null
  accepted: string | null
}

/** What the user marked in reviews: files that were looked at, contents that were accepted, and comments not sent yet. */
export const createMarks = (database: Database) => {
  const find = (sessionId: string, path: string): Row | undefined =>
    database
      .prepare<Row>('SELECT viewed, accepted FROM review_files WHERE session_id = ? AND path = ?')
      .get(sessionId, path)

  return {
    /** The stamps of files that were viewed, by path. */
    viewed: (sessionId: string): Map<string, string> =>
      new Map(
        database
          .prepare<{ path: string; viewed: string }>(
            'SELECT path, viewed FROM review_files WHERE session_id = ? AND viewed IS NOT NULL',
          )
          .all(sessionId)
          .map(({ path, viewed }) => [path, viewed]),
      ),
    view: (sessionId: string, path: string, stamp: string | null): void =>
      void database
        .prepare(
          `INSERT INTO review_files (session_id, path, viewed) VALUES (?, ?, ?)
           ON CONFLICT (session_id, path) DO UPDATE SET viewed = excluded.viewed`,
        )
        .run(sessionId, path, stamp),
    /** What counts as the state before, since the user accepted it; `null` for nothing there, `undefined` if nothing was accepted. */
    accepted: (sessionId: string, path: string): FileImage | null | undefined => {
      const row = find(sessionId, path)
      return row?.accepted ? readJson<{ image: FileImage | null }>(row.accepted, { image: null }).image : undefined
    },
    acceptedPaths: (sessionId: string): string[] =>
      database
        .prepare<{ path: string }>(
          'SELECT path FROM review_files WHERE session_id = ? AND accepted IS NOT NULL ORDER BY path',
        )
        .all(sessionId)
        .map(({ path }) => path),
    accept: (sessionId: string, path: string, image: FileImage | null | undefined): void =>
      void database
        .prepare(
          `INSERT INTO review_files (session_id, path, accepted) VALUES (?, ?, ?)
           ON CONFLICT (session_id, path) DO UPDATE SET accepted = excluded.accepted`,
        )
        .run(sessionId, path, image === undefined ? null : JSON.stringify({ image })),

    comments: (sessionId: string): ReviewComment[] =>
      database
        .prepare<{ body: string }>('SELECT body FROM review_comments WHERE session_id = ? ORDER BY rowid')
        .all(sessionId)
        .flatMap(({ body }) => readJson<ReviewComment | null, null>(body, null) ?? []),
    comment: (comment: ReviewComment): void =>
      void database
        .prepare('INSERT OR REPLACE INTO review_comments (id, session_id, body) VALUES (?, ?, ?)')
        .run(comment.id, comment.sessionId, JSON.stringify(comment)),
    uncomment: (sessionId: string, id: string): void =>
      void database.prepare('DELETE FROM review_comments WHERE session_id = ? AND id = ?').run(sessionId, id),
  }
}
