import { join } from 'node:path'
import type { StartNote } from '../../src-preload/contract/core-calls'
import type { Recovery } from '../../src-preload/contract/recovery'
import type { Settings } from '../../src-preload/contract/settings'
import { type Database, openDatabase } from '../database'
import type { EngineOptions } from '../engine'
import { openLog } from '../log'
import { createStore, type Store } from '../session/store'
import { fileSecrets, memorySecrets, type SecretStore } from '../settings/secrets'
import { openSettings, type SettingsFile } from '../settings/settings'
import { type StartWatch, watchStarts } from '../start-watch'
import { prepareDataFolder } from '../storage/data-folder'
import { whenUnlocked } from '../storage/when-unlocked'

const crashedNote = 'Deckhand quit unexpectedly last time.'
const crashLoopNote =
  'Deckhand stopped unexpectedly three times within a minute. This time it started without MCP servers, schedules, channels and other machines; they come back with the next start.'

export interface Storage {
  log: ReturnType<typeof openLog>
  /** `null` for a single command: it has nothing that starts by itself. */
  starts: StartWatch | null
  database: Database
  store: Store
  settingsFile: SettingsFile
  /** As they hold in this run. */
  settings(): Settings
  secrets: SecretStore
  /** What the user should know about this start; each is told once. */
  takeNotes(): StartNote[]
  /** What this start found damaged; told once. */
  takeRecovery(): Recovery | null
}

/** Opens what outlives a run: the log, the database, the settings and the keys. */
export async function composeStorage(options: EngineOptions): Promise<Storage> {
  const { dataDir, keychain } = options
  const folderNotes = prepareDataFolder(dataDir)
  const log = openLog(dataDir)
  const starts = options.interactive ? watchStarts(dataDir, Date.now()) : null
  const [database, store] = await whenUnlocked(() => openStore(dataDir), {
    waiting: () => options.waiting?.('Waiting for the database, which another program has locked…'),
  })
  const settingsFile = openSettings(dataDir)
  let { recovery } = database
  if (recovery) log.error('The database was damaged', { recovery })
  const notes: StartNote[] = []
  const tell = (text: string): void => void notes.push({ text })
  for (const text of [...folderNotes, ...database.notes, ...settingsFile.notes]) tell(text)
  if (starts?.cautious) notes.push({ text: crashLoopNote, crash: true })
  else if (starts?.crashed) notes.push({ text: crashedNote, crash: true })
  return {
    log,
    starts,
    database,
    store,
    settingsFile,
    settings: () => ({ ...settingsFile.current(), ...options.overrides }),
    secrets: options.secrets ?? (keychain ? fileSecrets(join(dataDir, 'keys.json'), keychain, tell) : memorySecrets()),
    takeNotes: () => notes.splice(0),
    takeRecovery: () => {
      const found = recovery
      recovery = null
      return found
    },
  }
}

function openStore(dataDir: string): [Database, Store] {
  const database = openDatabase(dataDir)
  try {
    const store = createStore(database)
    store.recover()
    return [database, store]
  } catch (error) {
    database.close()
    throw error
  }
}
