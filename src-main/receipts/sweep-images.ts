import type { DatabaseSync } from 'node:sqlite'

interface SweepOptions {
  /** Hashes that receipts refer to. */
  inUse: ReadonlySet<string>
  before: number
  maxBytes: number
}

export const bytesIn = (sqlite: DatabaseSync): number =>
  Number(sqlite.prepare('SELECT coalesce(sum(length(data)), 0) AS sum FROM images').get()?.sum)

/** Drops contents without references, workspaces unused since `before`, and the oldest contents beyond `maxBytes`. */
export function sweepImages(sqlite: DatabaseSync, { inUse, before, maxBytes }: SweepOptions): void {
  sqlite.prepare('DELETE FROM seen WHERE workspace IN (SELECT path FROM workspaces WHERE used_at < ?)').run(before)
  sqlite.prepare('DELETE FROM workspaces WHERE used_at < ?').run(before)
  const drop = sqlite.prepare('DELETE FROM images WHERE hash = ?')
  const unseen = 'SELECT hash FROM images WHERE hash NOT IN (SELECT hash FROM seen WHERE hash IS NOT NULL)'
  for (const { hash } of sqlite.prepare(unseen).all()) if (!inUse.has(String(hash))) drop.run(String(hash))
  const excess = bytesIn(sqlite) - maxBytes
  if (excess > 0) dropOldest(sqlite, excess)
}

const dropOldest = (sqlite: DatabaseSync, excess: number): void => {
  const rows = sqlite
    .prepare(
      'SELECT hash, length(data) AS size FROM images WHERE hash NOT IN (SELECT hash FROM seen WHERE hash IS NOT NULL) ORDER BY at',
    )
    .all()
  const drop = sqlite.prepare('DELETE FROM images WHERE hash = ?')
  let left = excess
  for (const { hash, size } of rows) {
    if (left <= 0) return
    drop.run(String(hash))
    left -= Number(size)
  }
}
