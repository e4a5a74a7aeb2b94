import { accessSync, constants, mkdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { setAside } from './set-aside'
import { systemWords } from './system-words'

/** What Chromium and Node keep, which is needed before anything else. */
const cacheFolder = 'chromium'

/** What Deckhand keeps in its data folder. The database looks after itself. */
const folders = [
  'logs',
  'processes',
  'results',
  'agents',
  'agents/main',
  'skills',
  'login-shell',
  'git-settings',
  cacheFolder,
]
const files = [
  'deckhand.db-wal',
  'deckhand.db-shm',
  'deckhand.backup.db',
  'settings.json',
  'keys.json',
  'starts.json',
  'model-lessons.json',
  'window.json',
  'logs/deckhand.log',
]

/**
 * Makes the data folder, and puts out of the way what stands where Deckhand keeps something of another kind: a file for a
 * folder, or the other way round. What cannot be read is said in words. Returns what the user should know.
 */
export function prepareDataFolder(dataDir: string): string[] {
  makeDataFolder(dataDir)
  const notes: string[] = []
  const check = (name: string, isRight: (found: Stats) => boolean, kind: string): void => {
    const path = join(dataDir, name)
    const found = lookAt(path)
    if (!found) return
    if (isRight(found)) requireAccess(path, found)
    else
      notes.push(
        `${path} should be a ${kind}. What was there is now ${setAside(path, Date.now(), { ending: '.json' })}.`,
      )
  }
  for (const name of folders) check(name, (found) => found.isDirectory(), 'folder')
  for (const name of files) check(name, (found) => found.isFile(), 'file')
  return notes
}

/** Makes the folder itself. What is wrong with it is said in words. */
function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`The data folder ${dataDir} cannot be used: ${systemWords(error)}.`, { cause: error })
  }
}

/** Through links, as everything that is opened later. A link that leads nowhere is something that is not there yet. */
const lookAt = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

function requireAccess(path: string, found: Stats): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | (found.isDirectory() ? constants.X_OK : 0))
  } catch (error) {
    throw new Error(`${path} cannot be used: ${systemWords(error)}.`, { cause: error })
  }
}

/** For the window, which needs this folder before it can tell anything: what is in its place is only a cache. */
export function makeCacheFolder(dataDir: string): string {
  makeDataFolder(dataDir)
  const path = join(dataDir, cacheFolder)
  if (lookAt(path)?.isDirectory() === false) setAside(path, Date.now())
  return path
}
