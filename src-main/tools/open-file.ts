import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { ToolFailure } from './tool'

/** Opens a file for reading and hands it over. Pipes and devices are refused, and never waited for. */
export async function withFile<T>(path: string, use: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (found.isDirectory()) throw new ToolFailure('InvalidPath', `This is a directory: ${path}`)
    if (!found.isFile()) throw new ToolFailure('InvalidPath', `This is not a regular file: ${path}`)
    return await use(file, found.size)
  } finally {
    await file.close()
  }
}

const maxWholeBytes = 64 * 1024 * 1024

/** The whole of a file that is to be changed. */
export async function readWhole(path: string): Promise<Buffer> {
  return withFile(path, async (file, size) => {
    if (size > maxWholeBytes) {
      throw new ToolFailure('ExecutionFailed', `The file is too large to be edited (${size} bytes): ${path}`)
    }
    return file.readFile()
  })
}
