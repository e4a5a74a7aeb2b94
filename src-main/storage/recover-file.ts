import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Recovery } from '../../src-preload/contract/recovery'
import { migrations } from '../schema'
import { backupPath, compareBackup, protectBackup, recoveryBackup } from './backup'
import { migrate, openFile } from './open-file'
import { type Salvage, salvage } from './salvage'
import { setAside } from './set-aside'
import { isFull, StorageError, troubleOf } from './storage-error'

const markPath = (dataDir: string): string => join(dataDir, 'deckhand.db.damaged')

/** Damage was met while Deckhand ran: the next start looks at the whole file, which takes too long for every start. */
export function markDamaged(dataDir: string): void {
  try {
    writeFileSync(markPath(dataDir), '')
  } catch {
    // Then the damage is met again.
  }
}

/**
 * Opens the database of a data folder. What is damaged is kept aside, and all that can be read of it is copied. Adds to
 * `notes` what the user should know besides.
 */
export function openOrRecover(
  dataDir: string,
  journal: 'WAL' | 'DELETE',
  now: () => number,
  notes: string[],
): { sqlite: DatabaseSync; recovery: Recovery | null } {
  const path = join(dataDir, 'deckhand.db')
  const found = statSync(path, { throwIfNoEntry: false })
  // A folder, or something stranger, is in its place.
  if (found && !found.isFile()) notes.push(`${path} should be a file. What was there is now ${setAside(path, now())}.`)
  const isEmpty = !found?.isFile() || found.size === 0
  try {
    const sqlite = openFile(path, journal)
    if (existsSync(markPath(dataDir))) checkWhole(sqlite)
    if (!isEmpty || !recoveryBackup(dataDir)) return { sqlite, recovery: null }
    protectBackup(dataDir)
    return { sqlite, recovery: { keptAs: null, salvaged: null, backup: tryCompare(sqlite, dataDir) } }
  } catch (error) {
    if (troubleOf(error) !== 'damaged') throw error
  }
  const { made, salvaged } = trySalvage(path, dataDir)
  const keptAs = setAside(path, now(), { along: ['-wal', '-shm'] })
  renameSync(made, path)
  rmSync(markPath(dataDir), { force: true })
  protectBackup(dataDir)
  const sqlite = openFile(path, journal)
  return { sqlite, recovery: { keptAs, salvaged, backup: tryCompare(sqlite, dataDir) } }
}

const SQLITE_CORRUPT = 11

function checkWhole(sqlite: DatabaseSync): void {
  const answer = sqlite.prepare('PRAGMA integrity_check(1)').get()?.integrity_check
  if (answer === 'ok') return
  sqlite.close()
  throw Object.assign(new Error(String(answer)), { errcode: SQLITE_CORRUPT })
}

/**
 * Into a new file, which is `made`; empty if nothing could be read. The damaged one keeps its place until that is finished:
 * after a full disk or a crash, the next start tries again.
 */
function trySalvage(damaged: string, dataDir: string): { made: string; salvaged: Salvage | null } {
  const [empty, filled] = [`${damaged}.new`, `${damaged}.saved`]
  try {
    for (const each of [empty, filled]) removeDatabase(each)
    // A database that is new and empty has the header that the damaged one should have.
    openFile(empty, 'DELETE').close()
    const donors = [backupPath(dataDir), empty].filter((each) => existsSync(each))
    const salvaged = salvageInto(filled, damaged, donors)
    removeDatabase(salvaged ? empty : filled)
    return { made: salvaged ? filled : empty, salvaged }
  } catch (error) {
    for (const each of [empty, filled]) removeDatabase(each)
    throw error
  }
}

function salvageInto(path: string, damaged: string, donors: readonly string[]): Salvage | null {
  const into = new DatabaseSync(path)
  try {
    return salvage(damaged, into, donors, (version) =>
      migrate(into, version > 0 && version <= migrations.length ? version : migrations.length),
    )
  } catch (error) {
    // Anything else is part of the damage.
    if (isFull(error)) throw new StorageError('full', dirname(path), error)
    return null
  } finally {
    into.close()
  }
}

const removeDatabase = (path: string): void => {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
}

function tryCompare(sqlite: DatabaseSync, dataDir: string): Recovery['backup'] {
  try {
    const facts = compareBackup(sqlite, dataDir, migrate)
    return facts && facts.sessions + facts.messages > 0 ? facts : null
  } catch (error) {
    if (troubleOf(error) === null) throw error
    return null
  }
}
