import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { binName } from '../gateway/wire'
import { loginShellPath } from '../tools/shell/shell'

/** Which programs a command would find on the PATH of the login shell, which differs from the PATH of this process. */
export async function probeBins(bins: readonly string[], timeoutMs: number): Promise<Record<string, boolean>> {
  const folders = (await loginPath(timeoutMs)).split(delimiter).filter((folder) => folder.startsWith('/'))
  const found = await Promise.all(
    bins.map(async (bin) => [bin, binName.test(bin) && (await isOn(folders, bin))] as const),
  )
  return Object.fromEntries(found)
}

async function isOn(folders: readonly string[], bin: string): Promise<boolean> {
  for (const folder of folders) {
    const path = join(folder, bin)
    const runnable = await Promise.all([access(path, constants.X_OK), stat(path)]).then(
      ([, found]) => found.isFile(),
      () => false,
    )
    if (runnable) return true
  }
  return false
}

const marker = '__deckhand_path__'

function loginPath(timeoutMs: number): Promise<string> {
  // Windows has one PATH for all programs.
  if (process.platform === 'win32') return Promise.resolve(process.env.PATH ?? '')
  const shell = loginShellPath(process.env.SHELL)
  return new Promise((resolve) => {
    // A shell profile may print text as well, so our output is marked.
    execFile(
      shell,
      ['-lc', `printf '${marker}%s${marker}' "$PATH"`],
      { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 1024 * 1024 },
      (_error, stdout) => resolve(stdout.split(marker)[1] ?? process.env.PATH ?? ''),
    )
  })
}
