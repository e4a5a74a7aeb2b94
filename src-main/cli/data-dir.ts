import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder that a command works on: the one of its option, or the window's. */
export const dataDirOf = (options: Map<string, string>): string => resolve(options.get('data') ?? appDataDir())

/** Makes it where there is none. What is wrong with it is said in words: the first write would fail with less of them. */
export function openDataDir(options: Map<string, string>): string {
  const folder = dataDirOf(options)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(`The data folder ${folder} cannot be used: ${troubles.get(code) ?? message}.`)
  }
  return folder
}

const troubles = new Map([
  ['EEXIST', 'it is a file'],
  ['ENOTDIR', 'the way there leads through a file'],
  ['EACCES', 'you may not write there'],
  ['EROFS', 'it can only be read'],
  ['ENOSPC', 'the disk is full'],
])

/** Where the window keeps its data: Electron's own rule, which its API does not tell outside the app. */
function appDataDir(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'deckhand')
  if (process.platform === 'win32')
    return join(process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'deckhand')
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'deckhand')
}

/** What code was compiled to, beside the window's: from the second command on a third of loading it is saved. */
export function keepCompiledCode(dataDir: string): void {
  if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'chromium', 'main-code'))
}
