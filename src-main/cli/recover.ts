import { addsWords, recoveryWords } from '../../src-preload/contract/recovery'
import { openDatabase } from '../database'
import { prepareDataFolder } from '../storage/data-folder'
import { whenUnlocked } from '../storage/when-unlocked'
import { dataDirOf } from './data-dir'

/** Looks after the database: saves what can be read of a damaged one, and adds what only the last backup has. */
export async function recover(options: Map<string, string>): Promise<number> {
  const dataDir = dataDirOf(options)
  for (const note of prepareDataFolder(dataDir)) process.stderr.write(`${note}\n`)
  const waiting = (): void => void process.stderr.write('Waiting for the database, which another program has locked…\n')
  const database = await whenUnlocked(() => openDatabase(dataDir), { waiting })
  try {
    const words = database.recovery ? recoveryWords(database.recovery) : []
    for (const note of [...database.notes, ...words]) process.stderr.write(`${note}\n`)
    const backup = database.compareBackup()
    if (!backup) {
      process.stdout.write(`No backup found in ${dataDir}.\n`)
      return 0
    }
    if (backup.sessions + backup.messages === 0) {
      process.stdout.write(`The backup of ${when(backup.at)} contains nothing that is missing.\n`)
      return 0
    }
    if (!options.has('yes')) {
      process.stdout.write(
        `The backup of ${when(backup.at)} has ${addsWords(backup)} that are missing. Run again with --yes to restore them, including anything you deleted since.\n`,
      )
      return 0
    }
    database.restore()
    process.stdout.write(`Restored from the backup of ${when(backup.at)}: ${addsWords(backup)}.\n`)
    return 0
  } finally {
    database.close()
  }
}

const when = (time: number): string => new Date(time).toLocaleString()
