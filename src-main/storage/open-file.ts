import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../schema'

/** How long opening waits for another process; whoever opens tries again. */
const openMs = 200

/** Opens a database file and brings its tables up to date. Throws when it is damaged where a start needs it. */
export const openFile = (path: string, journal: 'WAL' | 'DELETE'): DatabaseSync => {
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
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Adds the tables up to a version, the latest where none is given. */
export const migrate = (sqlite: DatabaseSync, upTo = migrations.length): void => {
  if (versionOf(sqlite) === upTo) return
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    // Read again under the lock: another process may have been faster.
    const version = versionOf(sqlite)
    if (version > migrations.length) {
      throw new Error('This data folder was written by a newer version of Deckhand. Please update Deckhand.')
    }
    for (const migration of migrations.slice(version, upTo)) sqlite.exec(migration)
    sqlite.exec(`PRAGMA user_version = ${Math.max(version, upTo)}`)
    sqlite.exec('COMMIT')
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

const versionOf = (sqlite: DatabaseSync): number =>
  (sqlite.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
