import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { isOnNetwork } from './network-folder'
import { migrations } from './schema'
import { inWords, StorageError, troubleOf } from './storage/storage-error'

/** A statement with the shape of its rows, which SQLite cannot know and the caller states. */
interface Query<Row> {
  get(...values: SQLInputValue[]): Row | undefined
  all(...values: SQLInputValue[]): Row[]
  /** Number of rows changed. */
  run(...values: SQLInputValue[]): number
}

export interface Database {
  /** Compiled once for each text, at its first use, and kept. */
  prepare<Row = Record<string, never>>(sql: string): Query<Row>
  /** All or nothing; a transaction inside another joins it. */
  transaction<Result>(work: () => Result): Result
  /** A transaction that is on the disk when this returns, with everything before it: not even a power cut undoes it. */
  durably<Result>(work: () => Result): Result
  /** What the user should be told, such as a broken file that was kept aside. */
  notes: string[]
  /** Copies the database page by page, without stopping the world, when the last copy is older than a day. */
  backUp(): Promise<void>
  close(): void
}

const day = 24 * 60 * 60 * 1000
/** How long a write waits for another process, which as a rule writes for milliseconds. */
const busyMs = 2000
/** The same while another program is known to hold the database. */
const lockedMs = 20
/** The same for opening it, which is tried again by whoever opens it. */
const openMs = 200

/** Opens the one database of a data folder, bringing its schema up to date. */
export const openDatabase = (
  dataDir: string,
  now: () => number = Date.now,
  isShared: (folder: string) => boolean = isOnNetwork,
): Database => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'deckhand.db')
  const notes: string[] = []
  // The index of a write-ahead log is shared memory, which machines on a network do not share.
  const shared = isShared(dataDir)
  const journal = shared ? 'DELETE' : 'WAL'
  if (shared) notes.push('The data folder is on a network share: Deckhand works there, but more slowly.')
  let sqlite: DatabaseSync
  try {
    sqlite = open(path, journal)
  } catch (error) {
    if (!isDamage(error)) throw inWords(error, dataDir)
    const aside = keepAside(path, now())
    notes.push(`The database was damaged. It was kept as ${aside}, and Deckhand started with an empty one.`)
    sqlite = open(path, journal)
  }
  return wrap(sqlite, { dataDir, notes, shared, backupPath: join(dataDir, 'deckhand.backup.db'), now })
}

const open = (path: string, journal: 'WAL' | 'DELETE'): DatabaseSync => {
  const sqlite = new DatabaseSync(path)
  try {
    sqlite.exec(`PRAGMA busy_timeout = ${openMs}`)
    sqlite.exec(`PRAGMA journal_mode = ${journal}`)
    // In WAL mode NORMAL loses nothing when the app crashes. A power cut may cost the last commits, so what the user gave
    // is saved with `durably`; waiting for the disk at every commit of a turn would hold up the whole main process.
    sqlite.exec(`PRAGMA synchronous = ${journal === 'WAL' ? 'NORMAL' : 'FULL'}`)
    sqlite.exec('PRAGMA foreign_keys = ON')
    migrate(sqlite)
    // Touch the trees that a start needs anyway, so that damage shows here, where it can still be handled.
    for (const table of ['sessions', 'messages', 'calls', 'rules'])
      sqlite.prepare(`SELECT * FROM ${table} LIMIT 1`).get()
    sqlite.exec(`PRAGMA busy_timeout = ${busyMs}`)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

const migrate = (sqlite: DatabaseSync): void => {
  if (versionOf(sqlite) === migrations.length) return
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    // Read again under the lock: another process may have been faster.
    const version = versionOf(sqlite)
    if (version > migrations.length) {
      throw new Error('This data folder was written by a newer version of Deckhand. Please update Deckhand.')
    }
    for (const migration of migrations.slice(version)) sqlite.exec(migration)
    sqlite.exec(`PRAGMA user_version = ${migrations.length}`)
    sqlite.exec('COMMIT')
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

const versionOf = (sqlite: DatabaseSync): number =>
  (sqlite.prepare('PRAGMA user_version').get() as { user_version: number }).user_version

/** Of the file itself, rather than of what was asked of it. */
export const isDamage = (error: unknown): boolean => troubleOf(error) === 'damaged'

/** The journal belongs to the file: left behind, it would be replayed into the new one. */
const keepAside = (path: string, time: number): string => {
  const stamp = new Date(time).toISOString().replaceAll(':', '-').slice(0, 19)
  let aside = `${path}.broken-${stamp}`
  for (let n = 2; existsSync(aside); n++) aside = `${path}.broken-${stamp}-${n}`
  renameSync(path, aside)
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  }
  return aside
}

const wrap = (
  sqlite: DatabaseSync,
  {
    dataDir,
    notes,
    shared,
    backupPath,
    now,
  }: { dataDir: string; notes: string[]; shared: boolean; backupPath: string; now: () => number },
): Database => {
  const statements = new Map<string, StatementSync>()

  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const made = sqlite.prepare(sql)
    statements.set(sql, made)
    return made
  }

  /** After the disk failed nobody knows what is on it: a later success would only be pretended. */
  let refusal: StorageError | null = null
  let isLocked = false
  /** Waiting holds up the whole process. Who waited once in vain does not wait again until the lock is gone. */
  const noteLock = (locked: boolean): void => {
    if (locked === isLocked) return
    isLocked = locked
    sqlite.exec(`PRAGMA busy_timeout = ${locked ? lockedMs : busyMs}`)
  }
  const guarded = <Result>(work: () => Result, writes: boolean): Result => {
    if (refusal) throw refusal
    try {
      const result = work()
      if (writes) noteLock(false)
      return result
    } catch (cause) {
      const error = inWords(cause, dataDir)
      if (error instanceof StorageError) {
        if (error.trouble === 'refused') refusal = error
        if (error.trouble === 'locked') noteLock(true)
      }
      throw error
    }
  }

  const transaction = <Result>(work: () => Result): Result => {
    if (sqlite.isTransaction) return work()
    return guarded(() => {
      statement('BEGIN IMMEDIATE').run()
      try {
        const result = work()
        statement('COMMIT').run()
        return result
      } catch (error) {
        if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
        throw error
      }
    }, true)
  }

  return {
    notes,
    transaction,
    durably: (work) => {
      if (sqlite.isTransaction) return work()
      if (shared) return transaction(work)
      sqlite.exec('PRAGMA synchronous = FULL')
      try {
        return transaction(work)
      } finally {
        sqlite.exec('PRAGMA synchronous = NORMAL')
      }
    },
    prepare: <Row>(sql: string): Query<Row> => {
      let made: StatementSync | undefined
      const compiled = (): StatementSync => {
        made ??= statement(sql)
        return made
      }
      return {
        get: (...values) => guarded(() => compiled().get(...values) as Row | undefined, false),
        all: (...values) => guarded(() => compiled().all(...values) as Row[], false),
        run: (...values) => guarded(() => Number(compiled().run(...values).changes), true),
      }
    },
    backUp: async () => {
      const age = existsSync(backupPath) ? now() - statSync(backupPath).mtimeMs : Number.POSITIVE_INFINITY
      if (age < day) return
      const unfinished = `${backupPath}.unfinished`
      await rm(unfinished, { force: true })
      await backup(sqlite, unfinished)
      await rename(unfinished, backupPath)
    },
    close: () => {
      statements.clear()
      sqlite.close()
    },
  }
}
