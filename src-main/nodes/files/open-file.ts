import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { systemPath } from '../../file-names'
import { NodeError } from '../node-error'
import { type Checked, realPathOf, requireChecked } from './checked'

/**
 * Opens a file for reading and passes it to `use`. Pipes and devices are refused, and never waited for; so is a file
 * that is not the checked one.
 */
export async function withFile<T>(
  path: string,
  use: (file: FileHandle, size: number) => Promise<T>,
  checked?: Checked,
): Promise<T> {
  const file = await open(systemPath(path), constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (checked) requireChecked(await realPathOf(file, path), checked)
    const found = await file.stat()
    if (found.isDirectory()) throw new NodeError('InvalidPath', `This is a directory: ${path}`)
    if (!found.isFile()) throw new NodeError('InvalidPath', `This is not a regular file: ${path}`)
    return await use(file, found.size)
  } finally {
    await file.close()
  }
}

/** The first `length` bytes, or all if there are fewer. */
export async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}
