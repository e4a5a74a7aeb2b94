import { existsSync, mkdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { backup, type DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Recovery } from '../src-preload/contract/recovery'
import { isOnNetwork } from './network-folder'
import { addFromBackup, type BackupFacts, backupPath, compareBackup } from './storage/backup'
import { migrate } from './storage/open-file'
import { markDamaged, openOrRecover } from './storage/recover-file'
import { inWords, StorageError } from './storage/storage-error'
import { createUnsaved, type Unsaved } from './storage/unsaved'

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
  /** What has happened and could not be saved yet. */
  unsaved: Unsaved
  /** What the user should be told, such as a broken file that was kept aside. */
  notes: string[]
  /** What this start found damaged, and what became of it. */
  recovery: Recovery | null
  /** What only the last backup has; `null` where there is none. */
  compareBackup(): BackupFacts | null
  /** Adds what only the last backup has, and tells how much that was; `null` where there is no backup. */
  restore(): BackupFacts | null
  /** Copies the database page by page, without stopping the world, when the last copy is older than a day. */
  backUp(): Promise<void>
  close(): void
}

const day = 24 * 60 * 60 * 1000
/** How long a write waits for another process, which as a rule writes for milliseconds. */
const busyMs = 2000
/** The same while another program is known to hold the database. */
const lockedMs = 20

/** Opens the one database of a data folder, bringing its schema up to date. */
export const openDatabase = (
  dataDir: string,
  now: () => number = Date.now,
  isShared: (folder: string) => boolean = isOnNetwork,
): Database => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const notes: string[] = []
  // The index of a write-ahead log is shared memory, which machines on a network do not share.
  const shared = isShared(dataDir)
  const journal = shared ? 'DELETE' : 'WAL'
  if (shared) notes.push('The data folder is on a network share: Deckhand works there, but more slowly.')
  try {
    const { sqlite, recovery } = openOrRecover(dataDir, journal, now, notes)
    sqlite.exec(`PRAGMA busy_timeout = ${busyMs}`)
    return wrap(sqlite, { dataDir, notes, recovery, shared, now })
  } catch (error) {
    throw inWords(error, dataDir)
  }
}

const wrap = (
  sqlite: DatabaseSync,
  {
    dataDir,
    notes,
    recovery,
    shared,
    now,
  }: { dataDir: string; notes: string[]; recovery: Recovery | null; shared: boolean; now: () => number },
): Database => {
  const statements = new Map<string, StatementSync>()

  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const made = sqlite.prepare(sql)
    statements.set(sql, made)
    return made
  }

  const guarded = createGuard(sqlite, dataDir)

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

  const unsaved = createUnsaved()
  return {
    unsaved,
    notes,
    recovery,
    compareBackup: () => guarded(() => compareBackup(sqlite, dataDir, migrate), false),
    restore: () => guarded(() => addFromBackup(sqlite, dataDir, migrate), true),
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
    backUp: () => backUp(sqlite, dataDir, now),
    close: () => {
      unsaved.close()
      statements.clear()
      sqlite.close()
    },
  }
}

/** Runs statements, and remembers what errors say about the disk: that it has failed, or that a lock is held. */
const createGuard = (sqlite: DatabaseSync, dataDir: string) => {
  /** After the disk failed nobody knows what is on it: a later success would only be pretended. */
  let refusal: StorageError | null = null
  let isLocked = false
  /** Waiting holds up the whole process. Who waited once in vain does not wait again until the lock is gone. */
  const noteLock = (locked: boolean): void => {
    if (locked === isLocked) return
    isLocked = locked
    sqlite.exec(`PRAGMA busy_timeout = ${locked ? lockedMs : busyMs}`)
  }

  return <Result>(work: () => Result, writes: boolean): Result => {
    if (refusal) throw refusal
    try {
      const result = work()
      if (writes) noteLock(false)
      return result
    } catch (cause) {
      const error = inWords(cause, dataDir)
      if (error instanceof StorageError) {
        if (error.trouble === 'refused') refusal = error
        if (error.trouble === 'damaged') markDamaged(dataDir)
        if (error.trouble === 'locked') noteLock(true)
      }
      throw error
    }
  }
}

/** At most once a day. */
const backUp = async (sqlite: DatabaseSync, dataDir: string, now: () => number): Promise<void> => {
  const path = backupPath(dataDir)
  const age = existsSync(path) ? now() - statSync(path).mtimeMs : Number.POSITIVE_INFINITY
  if (age < day) return
  const unfinished = `${path}.unfinished`
  await rm(unfinished, { force: true })
  await backup(sqlite, unfinished)
  await rename(unfinished, path)
}
