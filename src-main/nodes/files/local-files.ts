import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isGarbled, nameText, systemPath } from '../../file-names'
import { NodeError } from '../node-error'
import { requireChecked, withFolder } from './checked'
import { findFiles } from './find-files'
import { openFileSink, openFileSource } from './local-transfer'
import type { ListedEntry, NodeFiles } from './node-files'
import { readStart, withFile } from './open-file'
import { readLines } from './read-lines'
import { removeEntry } from './remove-entry'
import { searchLines } from './search-lines'
import { statOrNull, writeWhole } from './write-whole'

const maxWholeBytes = 64 * 1024 * 1024

/** The files of this machine. Errors of the operating system are thrown as they are. */
export const localFiles: NodeFiles = {
  async stat(path, { follow = true } = {}) {
    const found = await statOrNull(path, follow ? stat : lstat)
    return found && { type: typeOf(found), size: found.size }
  },
  read: (path, { mostBytes, checked } = {}) =>
    withFile(
      path,
      async (file, size) => {
        if (mostBytes !== undefined) return readStart(file, mostBytes)
        if (size > maxWholeBytes)
          throw new NodeError('ExecutionFailed', `The file is too large to be read as a whole (${size} bytes): ${path}`)
        return file.readFile()
      },
      checked,
    ),
  lines: (path, range, { checked } = {}) => withFile(path, (file) => readLines(file, range), checked),
  write: (path, data, { checked } = {}) => writeWhole(path, data, checked),
  remove: (path, { recursive = false, checked } = {}) => removeEntry(path, recursive, checked),
  list: (path, { checked } = {}) =>
    withFolder(path, async (within, real) => {
      requireChecked(real, checked)
      const entries = await readdir(systemPath(within), { withFileTypes: true })
      if (!entries.some(({ name }) => isGarbled(name)))
        return Promise.all(entries.map((entry) => describeEntry(within, entry.name, typeOf(entry))))
      const bytes = await readdir(systemPath(within), { withFileTypes: true, encoding: 'buffer' })
      return Promise.all(bytes.map((entry) => describeEntry(within, nameText(entry.name), typeOf(entry))))
    }),
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
  // A file that was deleted since it was listed stays in the list, without a size.
  const size = await lstat(systemPath(join(folder, name))).then(
    (found) => found.size,
    () => undefined,
  )
  return { name, type: 'file', size }
}
