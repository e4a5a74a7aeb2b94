import { existsSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder that a command works on: the one of its option, or the window's. */
export const dataDirOf = (options: Map<string, string>): string => resolve(options.get('data') ?? appDataDir())

/** Where the window keeps its data: Electron's own rule, which its API does not tell outside the app. */
function appDataDir(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'deckhand')
  if (process.platform === 'win32')
    return join(process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'deckhand')
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'deckhand')
}

/** What code was compiled to, beside the window's: from the second command on a third of loading it is saved. */
export function keepCompiledCode(dataDir: string): void {
  // Not where a file is in the way: the command itself tells of that.
  if (statSync(join(dataDir, 'chromium'), { throwIfNoEntry: false })?.isFile()) return
  if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'chromium', 'main-code'))
}
