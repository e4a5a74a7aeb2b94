import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isGarbled, nameText, systemPath } from '../../file-names'
import { NodeError } from '../node-error'
import { findFiles } from './find-files'
import { openFileSink, openFileSource } from './local-transfer'
import type { ListedEntry, NodeFiles } from './node-files'
import { readStart, withFile } from './open-file'
import { readLines } from './read-lines'
import { searchLines } from './search-lines'
import { statOrNull, writeWhole } from './write-whole'

const maxWholeBytes = 64 * 1024 * 1024

/** The files of this machine. Errors of the operating system are thrown as they are. */
export const localFiles: NodeFiles = {
  async stat(path, { follow = true } = {}) {
    const found = await statOrNull(path, follow ? stat : lstat)
    return found && { type: typeOf(found), size: found.size }
  },
  read: (path, { mostBytes } = {}) =>
    withFile(path, async (file, size) => {
      if (mostBytes !== undefined) return readStart(file, mostBytes)
      if (size > maxWholeBytes)
        throw new NodeError('ExecutionFailed', `The file is too large to be read as a whole (${size} bytes): ${path}`)
      return file.readFile()
    }),
  lines: (path, range) => withFile(path, (file) => readLines(file, range)),
  write: (path, data, { checked } = {}) => writeWhole(path, data, checked),
  async remove(path, { recursive = false } = {}) {
    const place = systemPath(path)
    const found = await lstat(place)
    if (!found.isDirectory()) await unlink(place)
    else if (recursive) await rm(place, { recursive: true })
    else await rmdir(place)
  },
  async list(path) {
    const entries = await readdir(systemPath(path), { withFileTypes: true })
    if (!entries.some(({ name }) => isGarbled(name)))
      return Promise.all(entries.map((entry) => describeEntry(path, entry.name, typeOf(entry))))
    const bytes = await readdir(systemPath(path), { withFileTypes: true, encoding: 'buffer' })
    return Promise.all(bytes.map((entry) => describeEntry(path, nameText(entry.name), typeOf(entry))))
  },
  find: findFiles,
  search: searchLines,
  source: openFileSource,
  sink: openFileSink,
}

function typeOf(found: Dirent | Dirent<Buffer> | Stats): ListedEntry['type'] {
  if (found.isDirectory()) return 'directory'
  if (found.isSymbolicLink()) return 'link'
  return found.isFile() ? 'file' : 'other'
}

async function describeEntry(folder: string, name: string, type: ListedEntry['type']): Promise<ListedEntry> {
  if (type !== 'file') return { name, type }
  // A file that was deleted since it was listed is kept in the list.
  const size = await lstat(systemPath(join(folder, name))).then(
    (found) => found.size,
    () => undefined,
  )
  return { name, type: 'file', ...(size !== undefined && { size }) }
}
