import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { indexMessages } from './salvage'

/** What a backup has that the database has not. */
export interface BackupFacts {
  /** When it was made. */
  at: number
  sessions: number
  messages: number
}

/** The daily copy, and the one of before the damage, which no daily copy may overwrite. */
export const backupPath = (dataDir: string): string => join(dataDir, 'deckhand.backup.db')
const beforeDamagePath = (dataDir: string): string => join(dataDir, 'deckhand.before-damage.db')

/** The copy that recovery should use, if there is one. */
export const recoveryBackup = (dataDir: string): string | null =>
  [beforeDamagePath(dataDir), backupPath(dataDir)].find((path) => existsSync(path)) ?? null

/** After damage: keeps the last copy from being overwritten by one of what is left. */
export function protectBackup(dataDir: string): void {
  const path = backupPath(dataDir)
  if (existsSync(path) && !existsSync(beforeDamagePath(dataDir))) renameSync(path, beforeDamagePath(dataDir))
}

/** Rows that come back by their ids. The others are made anew from files, or mean nothing without what they belong to. */
const tables = [
  'sessions',
  'messages',
  'calls',
  'queue',
  'rules',
  'receipts',
  'nodes',
  'jobs',
  'job_runs',
  'channels',
  'usage_days',
]
const newMessages = `SELECT * FROM backup.messages AS kept WHERE id NOT IN (SELECT id FROM main.messages)
  AND NOT EXISTS (SELECT 1 FROM main.messages AS here
    WHERE here.session_id = kept.session_id AND here.seq = kept.seq AND NOT (${isMark('here')}))`

/** A mark of a message that was lost. */
function isMark(alias: string): string {
  return `${alias}.role = 'system' AND ${alias}.parts LIKE '%"kind":"damaged"%'`
}

/** What a backup would add; `null` where there is none, or it cannot be read. `migrate` brings a copy of it up to date. */
export function compareBackup(
  sqlite: DatabaseSync,
  dataDir: string,
  migrate: (sqlite: DatabaseSync) => void,
): BackupFacts | null {
  return withBackup(sqlite, dataDir, migrate, (at) => {
    const count = (sql: string): number => Number(sqlite.prepare(`SELECT count(*) AS n FROM (${sql})`).get()?.n)
    const sessions = count(
      `SELECT id FROM backup.sessions WHERE deleted_at IS NULL
         AND id NOT IN (SELECT id FROM main.sessions WHERE model <> '')`,
    )
    return { at, sessions, messages: count(newMessages) }
  })
}

/** Adds what only the backup has. What is there already stays as it is. */
export function addFromBackup(
  sqlite: DatabaseSync,
  dataDir: string,
  migrate: (sqlite: DatabaseSync) => void,
): BackupFacts | null {
  const facts = compareBackup(sqlite, dataDir, migrate)
  if (!facts) return null
  withBackup(sqlite, dataDir, migrate, () => {
    sqlite.exec('BEGIN IMMEDIATE')
    try {
      // Sessions of which only the messages were saved get their names back.
      sqlite.exec(`DELETE FROM main.sessions WHERE model = '' AND id IN (SELECT id FROM backup.sessions)`)
      sqlite.exec(`DELETE FROM main.messages AS mark WHERE ${isMark('mark')} AND EXISTS (
        SELECT 1 FROM backup.messages AS kept WHERE kept.session_id = mark.session_id AND kept.seq = mark.seq)`)
      for (const table of tables) addRows(sqlite, table)
      sqlite.exec(`DELETE FROM main.messages WHERE session_id NOT IN (SELECT id FROM main.sessions)`)
      indexMessages(sqlite)
      sqlite.exec('COMMIT')
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
      throw error
    }
  })
  rmSync(beforeDamagePath(dataDir), { force: true })
  return facts
}

/** Without numbers that count rows: new rows may have taken them meanwhile. */
function addRows(sqlite: DatabaseSync, table: string): void {
  const columns = sqlite
    .prepare(`PRAGMA main.table_info("${table}")`)
    .all()
    .filter(({ type, pk }) => !(pk === 1 && type === 'INTEGER'))
    .map(({ name }) => `"${name}"`)
    .join(', ')
  sqlite.exec(`INSERT OR IGNORE INTO main."${table}" (${columns}) SELECT ${columns} FROM backup."${table}"`)
}

function withBackup<Result>(
  sqlite: DatabaseSync,
  dataDir: string,
  migrate: (sqlite: DatabaseSync) => void,
  work: (at: number) => Result,
): Result | null {
  const path = recoveryBackup(dataDir)
  if (!path) return null
  const copy = `${path}.reading`
  const remove = (): void => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  }
  remove()
  copyFileSync(path, copy)
  try {
    const opened = new DatabaseSync(copy)
    try {
      migrate(opened)
    } finally {
      opened.close()
    }
    sqlite.exec('PRAGMA foreign_keys = OFF')
    sqlite.prepare('ATTACH ? AS backup').run(copy)
    try {
      return work(statSync(path).mtimeMs)
    } finally {
      sqlite.exec('DETACH backup')
      sqlite.exec('PRAGMA foreign_keys = ON')
    }
  } finally {
    remove()
  }
}
