import { chmodSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FileImage } from '../../src-preload/contract/receipts'
import { hashOf } from '../changes/put'
import type { Entry } from '../changes/scan'
import { isThere } from '../storage/set-aside'

/** What the last look at a workspace found at a path. `null`: nothing was there. */
export interface Seen {
  entry: Entry
  image: FileImage
  /** It was written so shortly before the look that a later write may not be visible in its metadata. */
  fresh: boolean
}

export type SeenFiles = Map<string, Seen | null>

/**
 * Compressed file contents by hash, and what was last seen in each workspace. It is a separate database because one
 * file with batched reads and writes is several times faster than thousands of small files. Only the user may read it.
 */
export interface ImageStore {
  /** Batches the `keep` and `remember` calls inside it into one write. */
  batch<Result>(work: () => Result): Result
  keep(data: Buffer): string
  read(hash: string): Buffer | null
  /** `null` for a workspace that was never looked at completely. */
  load(workspace: string): SeenFiles | null
  /** Call these before and after the first complete look at a workspace; `load` returns it only then. */
  begin(workspace: string): void
  finish(workspace: string): void
  remember(workspace: string, changes: Iterable<[path: string, seen: Seen | null]>): void
  bytes(): number
  /** Roughly how much was added since the last `sweep`. */
  grown(): number
  /** Drops contents without references, workspaces unused since `before`, and the oldest contents beyond `maxBytes`. */
  sweep(options: { inUse: ReadonlySet<string>; before: number; maxBytes: number }): void
  forgetAll(): void
  close(): void
}

/** Below this, compressing costs more than it saves. */
const worthCompressing = 4_096

const schema = `
  CREATE TABLE IF NOT EXISTS images (
    hash TEXT PRIMARY KEY, data BLOB NOT NULL, compressed INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS workspaces (path TEXT PRIMARY KEY, used_at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS seen (
    workspace TEXT NOT NULL, path TEXT NOT NULL, entry TEXT NOT NULL, image TEXT NOT NULL, hash TEXT,
    fresh INTEGER NOT NULL,
    PRIMARY KEY (workspace, path)
  ) STRICT, WITHOUT ROWID;
`

export function openImageStore(folder: string, now: () => number): ImageStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'images.db')
  const sqlite = open(path)

  let added = 0
  const statements = {
    keep: sqlite.prepare('INSERT INTO images (hash, data, compressed, at) VALUES (?, ?, ?, ?)'),
    touch: sqlite.prepare('UPDATE images SET at = ? WHERE hash = ?'),
    read: sqlite.prepare('SELECT data, compressed FROM images WHERE hash = ?'),
    see: sqlite.prepare(
      'INSERT OR REPLACE INTO seen (workspace, path, entry, image, hash, fresh) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    unsee: sqlite.prepare('DELETE FROM seen WHERE workspace = ? AND path = ?'),
    use: sqlite.prepare('INSERT OR REPLACE INTO workspaces (path, used_at) VALUES (?, ?)'),
  }

  const batch = <Result>(work: () => Result): Result => inTransaction(sqlite, work)

  const see = (workspace: string, at: string, { entry, image, fresh }: Seen): void =>
    void statements.see.run(
      workspace,
      at,
      JSON.stringify(entry),
      JSON.stringify(image),
      image.hash ?? null,
      fresh ? 1 : 0,
    )

  return {
    batch,
    keep(data) {
      const hash = hashOf(data)
      if (statements.touch.run(now(), hash).changes > 0) return hash
      const smaller = data.length >= worthCompressing ? zstdCompressSync(data) : null
      const compressed = smaller !== null && smaller.length < data.length
      const stored = compressed ? smaller : data
      statements.keep.run(hash, stored, compressed ? 1 : 0, now())
      added += stored.length
      return hash
    },
    read(hash) {
      const row = statements.read.get(hash) as { data: Uint8Array; compressed: number } | undefined
      if (!row) return null
      const data = row.compressed ? zstdDecompressSync(row.data) : Buffer.from(row.data)
      // A damaged image must never be restored.
      return hashOf(data) === hash ? data : null
    },
    load(workspace) {
      if (!sqlite.prepare('SELECT 1 FROM workspaces WHERE path = ?').get(workspace)) return null
      statements.use.run(workspace, now())
      const rows = sqlite.prepare('SELECT path, entry, image, fresh FROM seen WHERE workspace = ?').all(workspace) as {
        path: string
        entry: string
        image: string
        fresh: number
      }[]
      return new Map(
        rows.map((row) => [
          row.path,
          {
            entry: JSON.parse(row.entry),
            image: JSON.parse(row.image),
            fresh: row.fresh === 1,
          },
        ]),
      )
    },
    begin: (workspace) => void sqlite.prepare('DELETE FROM seen WHERE workspace = ?').run(workspace),
    finish: (workspace) => void statements.use.run(workspace, now()),
    remember(workspace, changes) {
      batch(() => {
        for (const [at, seen] of changes) {
          if (!seen) statements.unsee.run(workspace, at)
          else see(workspace, at, seen)
        }
      })
    },
    bytes: () => bytesIn(sqlite),
    grown: () => added,
    sweep(options) {
      batch(() => sweepImages(sqlite, options))
      sqlite.exec('PRAGMA incremental_vacuum')
      added = 0
    },
    forgetAll() {
      sqlite.exec('DELETE FROM images; DELETE FROM seen; DELETE FROM workspaces; PRAGMA incremental_vacuum')
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    close: () => sqlite.close(),
  }
}

const inTransaction = <Result>(sqlite: DatabaseSync, work: () => Result): Result => {
  if (sqlite.isTransaction) return work()
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    sqlite.exec('COMMIT')
    return result
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

/**
 * Moves an unusable store aside so that a new one is created: its content is dispensable. Returns where the old one is
 * now, or null if there was none. Only the latest is kept, since it may be large.
 */
export function setImagesAside(folder: string): string | null {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  const path = isFolder ? join(folder, 'images.db') : folder
  if (!isThere(path)) return null
  const aside = `${path}.broken`
  rmSync(aside, { recursive: true, force: true })
  renameSync(path, aside)
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
  return aside
}

function open(path: string): DatabaseSync {
  // SQLite opens a pipe as well, and then fails as a broken disk does.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw Object.assign(new Error(`${path} should be a file`), { code: 'EEXIST' })
  const sqlite = new DatabaseSync(path)
  try {
    chmodSync(path, 0o600)
    // A call need not wait for something dispensable.
    sqlite.exec('PRAGMA busy_timeout = 500')
    sqlite.exec('PRAGMA auto_vacuum = INCREMENTAL')
    sqlite.exec('PRAGMA journal_mode = WAL')
    sqlite.exec('PRAGMA synchronous = NORMAL')
    sqlite.exec(schema)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

interface SweepOptions {
  /** Hashes that receipts refer to. */
  inUse: ReadonlySet<string>
  before: number
  maxBytes: number
}

const bytesIn = (sqlite: DatabaseSync): number =>
  Number(sqlite.prepare('SELECT coalesce(sum(length(data)), 0) AS sum FROM images').get()?.sum)

/** Drops contents without references, workspaces unused since `before`, and the oldest contents beyond `maxBytes`. */
function sweepImages(sqlite: DatabaseSync, { inUse, before, maxBytes }: SweepOptions): void {
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
