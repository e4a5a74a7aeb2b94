import { readFileSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createPlainText, plainText } from './plain-text'

const CHUNK_BYTES = 256 * 1024
const SMALL_BYTES = 64 * 1024

export interface TextEnd {
  text: string
  /** Whether something was left out. */
  truncated: boolean
  /** Length of the whole plain text; `null` if the log was too long to be read completely for this. */
  totalChars: number | null
  totalBytes: number
}

/** The last `maxChars` characters of a log as plain text. Reads no more of the file than that needs. */
export async function readTail(path: string, maxChars: number): Promise<TextEnd> {
  const small = readSmall(path)
  if (small) return tailOf(small, 0, small.length, maxChars)
  return withFile(path, { text: '', truncated: false, totalChars: 0, totalBytes: 0 }, async (file, size) => {
    for (let want = maxChars * 2 + 4096; ; want *= 2) {
      const from = Math.max(0, size - want)
      const tail = tailOf(await readRange(file, from, size), from, size, maxChars)
      if (from === 0 || tail.text.length >= maxChars) return tail
    }
  })
}

/** A whole log that is small, as most are: handing the read to another thread would take longer. Null for a larger one. */
function readSmall(path: string): Buffer | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > SMALL_BYTES) return null
  return size === 0 ? Buffer.alloc(0) : readFileSync(path)
}

/** `bytes` are those of a log of this size, from an offset to its end. */
function tailOf(bytes: Buffer, from: number, size: number, maxChars: number): TextEnd {
  const text = plainText(decodeFrom(bytes, from > 0))
  return {
    text: lastChars(text, maxChars),
    truncated: from > 0 || text.length > maxChars,
    totalChars: from === 0 ? text.length : null,
    totalBytes: size,
  }
}

/** The first `maxChars` characters of a log as plain text. */
export async function readHead(path: string, maxChars: number): Promise<TextEnd> {
  return withFile(path, { text: '', truncated: false, totalChars: 0, totalBytes: 0 }, async (file, size) => {
    const decoder = new TextDecoder()
    const plain = createPlainText()
    let text = ''
    let at = 0
    while (at < size && text.length <= maxChars) {
      const bytes = await readRange(file, at, Math.min(size, at + CHUNK_BYTES))
      if (bytes.length === 0) break
      at += bytes.length
      text += plain.push(decoder.decode(bytes, { stream: true }))
    }
    if (at >= size) text += plain.end()
    const whole = at >= size
    return {
      text: firstChars(text, maxChars),
      truncated: !whole || text.length > maxChars,
      totalChars: whole ? text.length : null,
      totalBytes: size,
    }
  })
}

export interface LogLines {
  lines: string[]
  totalLines: number
  totalChars: number
}

/** Lines `offset` to `offset + limit` of a log's plain text, and how much there is in all. Streams the file. */
export async function readLines(path: string, offset: number, limit: number): Promise<LogLines> {
  return withFile(path, { lines: [], totalLines: 0, totalChars: 0 }, async (file, size) => {
    const decoder = new TextDecoder()
    const plain = createPlainText()
    const lines: string[] = []
    let line = 0
    let totalChars = 0
    let partial = ''

    const take = (text: string) => {
      totalChars += text.length
      let at = 0
      for (let next = text.indexOf('\n'); next !== -1; next = text.indexOf('\n', at)) {
        if (line >= offset && line < offset + limit) lines.push(partial + text.slice(at, next))
        partial = ''
        line++
        at = next + 1
      }
      if (line >= offset && line < offset + limit) partial += text.slice(at)
      else if (at < text.length) partial = ' '
    }
    for (let at = 0; at < size; ) {
      const bytes = await readRange(file, at, Math.min(size, at + CHUNK_BYTES))
      if (bytes.length === 0) break
      at += bytes.length
      take(plain.push(decoder.decode(bytes, { stream: true })))
    }
    take(plain.end())
    if (partial !== '') {
      if (line >= offset && line < offset + limit) lines.push(partial)
      line++
    }
    return { lines, totalLines: line, totalChars }
  })
}

/** What follows `offset` as plain text, at most the last `mostBytes` of it, and where the log ends now. */
export async function readSince(
  path: string,
  offset: number,
  mostBytes: number,
): Promise<{ text: string; end: number }> {
  return withFile(path, { text: '', end: 0 }, async (file, size) => {
    const from = Math.max(offset, size - mostBytes)
    return { text: plainText((await readRange(file, from, Math.max(from, size))).toString('utf8')), end: size }
  })
}

async function withFile<T>(path: string, missing: T, read: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return missing
    throw error
  }
  try {
    const { size } = await file.stat()
    return await read(file, size)
  } finally {
    await file.close()
  }
}

async function readRange(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(to - from)
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, from + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/** From the middle of a file: starts at a line, or at least not inside a character. */
function decodeFrom(bytes: Buffer, middle: boolean): string {
  if (!middle) return bytes.toString('utf8')
  const lineBreak = bytes.subarray(0, bytes.length - 1).indexOf(0x0a)
  // Only a break near the start counts: a long last line must not be dropped for one.
  if (lineBreak !== -1 && lineBreak < bytes.length / 2) return bytes.toString('utf8', lineBreak + 1)
  let start = 0
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.toString('utf8', start)
}

function lastChars(text: string, count: number): string {
  if (text.length <= count) return text
  const start = text.length - count
  return text.slice(isLowSurrogate(text, start) ? start + 1 : start)
}

function firstChars(text: string, count: number): string {
  if (text.length <= count) return text
  return text.slice(0, isLowSurrogate(text, count) ? count - 1 : count)
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}
