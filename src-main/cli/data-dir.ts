import { existsSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join, posix, resolve, win32 } from 'node:path'

/** The folder that a command works on: the one of its option, or the window's. */
export const dataDirOf = (options: Map<string, string>): string => resolve(options.get('data') ?? appDataDir())

/** Where the window keeps its data: Electron's own rule, which its API does not tell outside the app. */
export function appDataDir(
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  home = homedir(),
): string {
  const { join: joined } = platform === 'win32' ? win32 : posix
  if (platform === 'darwin') return joined(home, 'Library', 'Application Support', 'deckhand')
  if (platform === 'win32') return joined(env.APPDATA || joined(home, 'AppData', 'Roaming'), 'deckhand')
  return joined(env.XDG_CONFIG_HOME || joined(home, '.config'), 'deckhand')
}

/** What code was compiled to, beside the window's: from the second command on a third of loading it is saved. */
export function keepCompiledCode(dataDir: string): void {
  // Not where a file is in the way: the command itself tells of that.
  if (statSync(join(dataDir, 'chromium'), { throwIfNoEntry: false })?.isFile()) return
  if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'chromium', 'main-code'))
}
