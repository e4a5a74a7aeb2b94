const chunkBytes = 256 * 1024
/** Lines of many megabytes are cut early; the result is cut further later anyway. */
const longestLine = (maxBytes: number): number => Math.max(maxBytes, chunkBytes) * 2
/** How much of a file is read for a result of at most `maxBytes`. */
export const mostRead = (maxBytes: number): number => longestLine(maxBytes) + chunkBytes

export interface LineRange {
  /** Lines to skip. */
  offset: number
  limit: number
  /** Stop before the numbered lines exceed this size as JSON. */
  maxBytes: number
}

/** The part of a file handle that is used here. */
interface LineSource {
  read(buffer: Buffer, offset: number, length: number, position: null): Promise<{ bytesRead: number }>
}

export interface Lines {
  lines: string[]
  /** There are more lines, or more of the last one, than fit into `maxBytes`. */
  cut: boolean
  /** Lines in the file, as far as it was read. */
  seen: number
}

/**
 * A range of lines of a UTF-8 file, reading no further than needed; `null` if it is not text. Line ends are removed,
 * `\r\n` too.
 */
export async function readLines(file: LineSource, range: LineRange): Promise<Lines | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const lines: string[] = []
  let seen = 0
  let weight = 0
  let partial = ''
  let cut = false

  /** Returns whether to continue. */
  const take = (line: string): boolean => {
    if (seen >= range.offset) {
      if (lines.length >= range.limit) return false
      const plain = line.endsWith('\r') ? line.slice(0, -1) : line
      const added = Buffer.byteLength(JSON.stringify(plain)) + String(seen).length + 4
      // The first line always passes, or a file of one long line could never be read.
      if (weight + added > range.maxBytes && lines.length > 0) {
        cut = true
        return false
      }
      weight += added
      lines.push(plain)
    }
    seen++
    return true
  }

  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, null)
    const chunk = buffer.subarray(0, bytesRead)
    if (chunk.includes(0)) return null
    let text: string
    try {
      text = partial + decoder.decode(chunk, { stream: bytesRead > 0 })
    } catch {
      // The decoder throws for anything that is not UTF-8.
      return null
    }
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (!take(text.slice(start, end))) return { lines, cut, seen }
      start = end + 1
    }
    partial = text.slice(start)
    if (bytesRead === 0) break
    if (partial.length > longestLine(range.maxBytes)) {
      if (seen >= range.offset) {
        if (take(partial)) cut = true
        return { lines, cut, seen }
      }
      partial = ' '
    }
    if (lines.length >= range.limit && range.limit > 0) return { lines, cut, seen }
  }
  if (partial !== '') take(partial)
  return { lines, cut, seen }
}

/** Bytes in memory, as a file to be read from its start. */
export function readerOf(bytes: Buffer): LineSource {
  let at = 0
  return {
    async read(buffer, offset, length) {
      const bytesRead = bytes.copy(buffer, offset, at, at + length)
      at += bytesRead
      return { bytesRead }
    },
  }
}
