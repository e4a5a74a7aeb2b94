import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import type { FileKind, FileView } from './types'

/** The real files of this machine. `path` is the PATH that commands are started with. */
export function localFileView(home: string, path: string): FileView {
  const folders = path.split(delimiter)
  return {
    os: process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'darwin' : 'linux',
    home,
    realpath: (file) => orNull(() => realpathSync.native(file)),
    lstat: (file) => {
      const stats = orNull(() => lstatSync(file, { throwIfNoEntry: false }))
      return stats ? { kind: kindOf(stats), links: stats.nlink } : null
    },
    readText: (file, maxBytes) => orNull(() => readStart(file, maxBytes)),
    list: (folder) => orNull(() => readdirSync(folder)),
    which: (program) => findProgram(program, folders),
  }
}

function findProgram(program: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    // A relative entry depends on the working folder, which the agent can write to: told as it is, it is trusted by nobody.
    if (!folder.startsWith('/')) return join(folder || '.', program)
    const file = join(folder, program)
    if (orNull(() => lstatSync(file, { throwIfNoEntry: false })) === undefined) continue
    const runnable = orNull(() => {
      accessSync(file, constants.X_OK)
      return realpathSync.native(file)
    })
    if (runnable) return runnable
  }
  return null
}

/** Only regular files, and never waiting: a FIFO would hold up the whole process. */
function readStart(file: string, maxBytes: number): string | null {
  if (!lstatSync(realpathSync.native(file)).isFile()) return null
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const buffer = Buffer.allocUnsafe(maxBytes)
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, maxBytes, 0))
  } finally {
    closeSync(handle)
  }
}

function kindOf(stats: Stats): FileKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'directory'
  if (stats.isSymbolicLink()) return 'symlink'
  if (stats.isFIFO()) return 'fifo'
  if (stats.isSocket()) return 'socket'
  return stats.isBlockDevice() ? 'block' : 'character'
}

/** What cannot be seen (missing, forbidden, a loop of links, NUL in a name) is unknown to the gate, and unknown asks. */
function orNull<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}
