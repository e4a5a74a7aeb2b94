import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** The text of a file without its byte-order mark; null for what is not there, no ordinary file, or too large. */
export async function readPlainFile(path: string, mostBytes: number): Promise<string | null> {
  try {
    // Does not wait where the path is a pipe that nobody writes to.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await file.stat()
    return stats.isFile() && stats.size <= mostBytes ? (await file.readFile('utf8')).replace(/^\uFEFF/, '') : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
