import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Recovery } from '../../src-preload/contract/recovery'
import { migrations } from '../schema'
import { backupPath, compareBackup, protectBackup, recoveryBackup } from './backup'
import { migrate, openFile } from './open-file'
import { type Salvage, salvage } from './salvage'
import { setAside } from './set-aside'
import { troubleOf } from './storage-error'

const markPath = (dataDir: string): string => join(dataDir, 'deckhand.db.damaged')

/** Damage was met while Deckhand ran: the next start looks at the whole file, which takes too long for every start. */
export function markDamaged(dataDir: string): void {
  try {
    writeFileSync(markPath(dataDir), '')
  } catch {
    // Then the damage is met again.
  }
}

/** Opens the database of a data folder. What is damaged is kept aside, and all that can be read of it is copied. */
export function openOrRecover(
  dataDir: string,
  journal: 'WAL' | 'DELETE',
  now: () => number,
): { sqlite: DatabaseSync; recovery: Recovery | null } {
  const path = join(dataDir, 'deckhand.db')
  const found = statSync(path, { throwIfNoEntry: false })
  // A folder, or something stranger, is in its place.
  if (found && !found.isFile()) setAside(path, now())
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
  const keptAs = setAside(path, now(), { along: ['-wal', '-shm'] })
  rmSync(markPath(dataDir), { force: true })
  const salvaged = trySalvage(keptAs, path, dataDir)
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

/** Into a new file; one that could not be finished is not used. */
function trySalvage(damaged: string, path: string, dataDir: string): Salvage | null {
  const fresh = `${path}.new`
  const remove = (from: string): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(from + suffix, { force: true })
  }
  remove(fresh)
  // A database that is new and empty has the header that the damaged one should have.
  openFile(fresh, 'DELETE').close()
  const into = new DatabaseSync(path)
  try {
    const donors = [backupPath(dataDir), fresh].filter((each) => existsSync(each))
    const saved = salvage(damaged, into, donors, (version) =>
      migrate(into, version > 0 && version <= migrations.length ? version : migrations.length),
    )
    into.close()
    return saved
  } catch {
    into.close()
    remove(path)
    return null
  } finally {
    remove(fresh)
  }
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
