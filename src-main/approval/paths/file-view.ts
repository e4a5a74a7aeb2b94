import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { entriesIn, isGarbled, namesIn, nameText, systemPath } from '../../file-names'
import type { FileKind, FileView } from '../types'
import { type GitIndex, readGitIndex } from './git-index'
import { findUncommitted } from './uncommitted'

/** How long it is believed that a program or a folder is where it was: a burst of calls looks once. */
const MEMORY_MS = 1_000

/** The real files of this machine. `path` is the PATH that commands are started with. */
export function localFileView(home: string, path: string): FileView {
  const folders = path.split(delimiter)
  return {
    os: process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'darwin' : 'linux',
    home,
    realpath,
    root: forAWhile(realpath),
    lstat: (file) => {
      const stats = entryAt(file)
      return stats ? { kind: kindOf(stats), links: stats.nlink } : null
    },
    readText: (file, maxBytes) => (entryAt(file) ? orNull(() => readStart(file, maxBytes)) : null),
    list: (folder) => orNull(() => namesIn(folder)),
    entries: (folder) => orNull(() => entriesIn(folder).map((entry) => ({ name: entry.name, kind: kindOf(entry) }))),
    gitIndex: rememberedIndexes(),
    uncommitted: (root, index, look) => orNull(() => findUncommitted(root, index, look)),
    which: forAWhile((program) => findProgram(program, folders)),
  }
}

function forAWhile(look: (what: string) => string | null): (what: string) => string | null {
  let known = new Map<string, string | null>()
  let since = 0
  return (what) => {
    const now = performance.now()
    if (now - since > MEMORY_MS) {
      known = new Map()
      since = now
    }
    const before = known.get(what)
    if (before !== undefined) return before
    const found = look(what)
    known.set(what, found)
    return found
  }
}

/** The same view for the length of one decision, in which nothing is looked at twice. */
export function rememberingView(files: FileView): FileView {
  const remember = <T>(look: (path: string) => T, seen = new Map<string, T>()): ((path: string) => T) => {
    return (path) => {
      if (seen.has(path)) return seen.get(path) as T
      const found = look(path)
      seen.set(path, found)
      return found
    }
  }
  const texts = new Map<string, string | null>()
  const remembered = (key: string, read: () => string | null): string | null => {
    if (!texts.has(key)) texts.set(key, read())
    return texts.get(key) ?? null
  }
  const lstat = remember((path) => files.lstat(path))
  const canonical = new Map<string, string | null>()
  const resolved = remember((path) => files.realpath(path), canonical)
  const { root: rootOf = files.realpath } = files
  return {
    os: files.os,
    home: files.home,
    lstat,
    root: (path) => {
      const real = rootOf(path)
      // What lies in it need not ask for it again.
      if (real !== null) canonical.set(real, real)
      return real
    },
    /** Of what is no link itself, only the folder has to be resolved, and that has often been done already. */
    realpath: remember((path) => {
      const slash = path.lastIndexOf('/')
      const name = path.slice(slash + 1)
      if (slash <= 0 || name === '' || name === '.' || name === '..') return resolved(path)
      const entry = lstat(path)
      if (entry === null || entry.kind === 'symlink') return entry && resolved(path)
      const folder = resolved(path.slice(0, slash))
      return folder === null ? null : folder === '/' ? `/${name}` : `${folder}/${name}`
    }),
    readText: (path, maxBytes) => remembered(`${maxBytes} ${path}`, () => files.readText(path, maxBytes)),
    list: remember((path) => files.list(path)),
    ...(files.entries && { entries: remember((path) => files.entries?.(path) ?? null) }),
    ...(files.gitIndex && { gitIndex: remember((path) => files.gitIndex?.(path) ?? null) }),
    ...(files.uncommitted && { uncommitted: (...look) => files.uncommitted?.(...look) ?? null }),
    which: remember((program) => files.which(program)),
  }
}

const MAX_INDEX_BYTES = 64 * 1024 * 1024
const MAX_INDEXES = 20

/** An index is read again only after it has changed: git replaces it as a whole. */
function rememberedIndexes(): (path: string) => GitIndex | null {
  const known = new Map<string, { stamp: string; index: GitIndex | null }>()
  return (path) => {
    const stats = entryAt(path)
    if (!stats?.isFile() || stats.size > MAX_INDEX_BYTES) return null
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
    const before = known.get(path)
    if (before?.stamp === stamp) return before.index
    const index = orNull(() => {
      const bytes = readFileSync(systemPath(path))
      return readGitIndex(bytes) ?? readGitIndex(bytes, 32)
    })
    if (known.size >= MAX_INDEXES) known.clear()
    known.set(path, { stamp, index })
    return index
  }
}

function findProgram(program: string, folders: readonly string[]): string | null {
  if (program === '' || program.includes('/')) return null
  for (const folder of folders) {
    // A relative entry depends on the working folder, which the agent can write to. Its relative path is returned, and callers do not trust it.
    if (!folder.startsWith('/')) return join(folder || '.', program)
    const file = `${folder}/${program}`
    if (!entryAt(file)) continue
    const runnable = orNull(() => {
      accessSync(file, constants.X_OK)
      return realpathSync.native(file)
    })
    if (runnable) return runnable
  }
  return null
}

/** Looks before it asks, since a thrown error costs more than everything else in a decision. */
const realpath = (file: string): string | null => (entryAt(file) ? orNull(() => realText(file)) : null)

function realText(file: string): string {
  const place = systemPath(file)
  const real = realpathSync.native(place)
  return isGarbled(real) ? nameText(realpathSync.native(place, 'buffer')) : real
}

const entryAt = (file: string): Stats | null =>
  orNull(() => lstatSync(systemPath(file), { throwIfNoEntry: false })) ?? null

/** Only regular files, and never waiting: a FIFO would hold up the whole process. */
function readStart(file: string, maxBytes: number): string | null {
  const place = systemPath(file)
  if (!lstatSync(realpathSync.native(place, 'buffer')).isFile()) return null
  const handle = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const buffer = Buffer.allocUnsafe(Math.min(maxBytes, fstatSync(handle).size))
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, buffer.length, 0))
  } finally {
    closeSync(handle)
  }
}

function kindOf(stats: Stats | Dirent): FileKind {
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
