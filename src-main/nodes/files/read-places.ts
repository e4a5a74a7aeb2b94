import type { FileHandle } from 'node:fs/promises'

const chunkBytes = 256 * 1024
const newline = 10

/**
 * Some lines of a file by their numbers, which begin with 1, each at most `mostBytes` long; reads no further than
 * needed.
 */
export async function readPlaces(
  file: Pick<FileHandle, 'read'>,
  wanted: ReadonlySet<number>,
  mostBytes: number,
): Promise<[line: number, content: string][]> {
  const last = Math.max(0, ...wanted)
  const lines: [number, string][] = []
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let kept: Buffer[] = []
  let line = 1
  const keep = (bytes: Buffer): void => {
    const room = mostBytes - kept.reduce((sum, { length }) => sum + length, 0)
    if (wanted.has(line) && room > 0) kept.push(Buffer.from(bytes.subarray(0, room)))
  }
  const end = (): void => {
    if (wanted.has(line)) lines.push([line, textOf(Buffer.concat(kept))])
    kept = []
    line++
  }
  for (let position = 0; line <= last; ) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, position)
    if (bytesRead === 0) {
      if (kept.length > 0) end()
      break
    }
    position += bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    let start = 0
    for (let at = chunk.indexOf(newline); at !== -1 && line <= last; at = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, at))
      end()
      start = at + 1
    }
    if (line <= last) keep(chunk.subarray(start))
  }
  return lines
}

/** A line that was cut may end in the middle of a character. */
const textOf = (bytes: Buffer): string =>
  bytes
    .toString()
    .replace(/\r$/, '')
    .replace(/\uFFFD$/, '')
