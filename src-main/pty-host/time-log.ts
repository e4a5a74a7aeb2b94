import { appendFileSync, readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { systemWords } from '../storage/system-words'
import type { Size } from './screen-history'

/** A program that ends sooner gets no file: the time of its end says enough. */
const SHORT_MS = 500
const FLUSH_MS = 1000
const FLUSH_CHARS = 4096
/** In a flood there is one entry per step; slower output is recorded to the millisecond. */
const STEP_MS = 33
const ENTRIES_A_SECOND = 60
const MAX_TYPED = 500

/**
 * When each byte of a log was written, in a file beside the log, with changes of size and typed keys. Each line holds
 * the milliseconds since the previous line and the number of bytes added, both in base 36 to keep the many lines short.
 * Capital letters mark other lines: T for a start (time, bytes so far and size), R for a size, U and A for keys.
 */
export interface TimeLog {
  /** Reports that the log has this many bytes now. */
  wrote(bytes: number): void
  resized(cols: number, rows: number): void
  /** `text` is empty if the program hid what was typed. `msAgo`: how long before now. */
  typed(by: Typist, text: string, msAgo?: number): void
  /** Writes the rest. */
  end(): void
}

type Typist = 'user' | 'agent'

export type TimedEvent =
  | { at: number; type: 'output'; bytes: number }
  | { at: number; type: 'size'; cols: number; rows: number }
  | { at: number; type: 'typed'; by: Typist; text: string }

/** `from`: continues a log that already has this many bytes. */
export function createTimeLog(logPath: string, size: Size, from = 0, now: () => number = Date.now): TimeLog {
  const began = now()
  const path = timesOf(logPath)
  let lines = `T ${began.toString(36)} ${from.toString(36)} ${size.cols} ${size.rows}\n`
  let last = began
  let bytes = from
  /** Bytes in the log, including those that no line covers yet. */
  let pending = from
  let wroteAt = began
  let second = 0
  let entries = 0
  let hasFile = false
  let notable = false
  let writing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  let warned = false
  /** Once: on a full disk every attempt fails. */
  const warn = (error: unknown) => {
    if (!warned) console.error(`deckhand: the times of a terminal were not kept: ${systemWords(error)}.`)
    warned = true
  }
  const flush = () => {
    timer = null
    note(wroteAt)
    if (writing) return flushSoon()
    const text = lines
    lines = ''
    hasFile = true
    writing = appendFile(path, text)
      .catch(warn)
      .finally(() => {
        writing = null
      })
  }
  const flushSoon = () => {
    timer ??= setTimeout(flush, FLUSH_MS)
    timer.unref()
  }
  const add = (at: number, rest: string) => {
    // If the clock was set back, time stands still instead of running backwards.
    const time = Math.max(at, last)
    lines += `${(time - last).toString(36)} ${rest}\n`
    last = time
    if (lines.length < FLUSH_CHARS) flushSoon()
    else if (!writing) flush()
  }
  const note = (at: number) => {
    const more = pending - bytes
    bytes = pending
    if (more > 0) add(at, more.toString(36))
  }
  /** Typed keys and changes of size come after what was written before them. */
  const addNotable = (rest: string) => {
    note(wroteAt)
    notable = true
    add(now(), rest)
  }

  return {
    wrote(size) {
      pending = size
      const at = now()
      wroteAt = at
      const thisSecond = Math.floor(at / 1000)
      if (thisSecond !== second) {
        second = thisSecond
        entries = 0
      }
      if (entries >= ENTRIES_A_SECOND && at - last < STEP_MS) return flushSoon()
      entries++
      note(at)
    },
    resized: (cols, rows) => addNotable(`R ${cols} ${rows}`),
    typed: (by, text, msAgo = 0) =>
      addNotable(`${by === 'user' ? 'U' : 'A'} ${msAgo.toString(36)} ${JSON.stringify(text.slice(0, MAX_TYPED))}`),
    end() {
      if (timer) clearTimeout(timer)
      if (!hasFile && !notable && now() - began < SHORT_MS) return
      note(wroteAt)
      const rest = () => {
        try {
          if (lines !== '') appendFileSync(path, lines)
          lines = ''
        } catch (error) {
          warn(error)
        }
      }
      if (writing) void writing.then(rest)
      else rest()
    },
  }
}

/** The events of a log in order; empty if none were recorded. Lines that cannot be read are left out. */
export function readTimeLog(logPath: string): TimedEvent[] {
  const events: TimedEvent[] = []
  let at = Number.NaN
  let bytes = 0
  for (const line of readText(timesOf(logPath)).split('\n')) {
    const [time = '', kind = '', ...rest] = line.split(' ')
    if (time === 'T') {
      at = Number.parseInt(kind, 36)
      bytes = Number.parseInt(rest[0] ?? '', 36)
      const size = eventOf('R', rest.slice(1).join(' '), at, bytes)
      if (size && Number.isSafeInteger(at)) events.push(size)
      continue
    }
    const passed = Number.parseInt(time, 36)
    if (!Number.isSafeInteger(passed)) continue
    at += passed
    if (!Number.isSafeInteger(at) || !Number.isSafeInteger(bytes)) continue
    const event = eventOf(kind, rest.join(' '), at, bytes)
    if (event?.type === 'output') bytes = event.bytes
    if (event) events.push(event)
  }
  return events
}

function eventOf(kind: string, rest: string, at: number, bytes: number): TimedEvent | null {
  if (kind === 'U' || kind === 'A') {
    const space = rest.indexOf(' ')
    const ago = Number.parseInt(rest.slice(0, space), 36)
    const text = readString(rest.slice(space + 1))
    if (text === null || !Number.isSafeInteger(ago)) return null
    return { at: at - ago, type: 'typed', by: kind === 'U' ? 'user' : 'agent', text }
  }
  if (kind === 'R') {
    const [cols = 0, rows = 0] = rest.split(' ').map(Number)
    return cols > 0 && rows > 0 ? { at, type: 'size', cols, rows } : null
  }
  const more = Number.parseInt(kind, 36)
  return Number.isSafeInteger(more) ? { at, type: 'output', bytes: bytes + more } : null
}

function readString(json: string): string | null {
  try {
    const text: unknown = JSON.parse(json)
    return typeof text === 'string' ? text : null
  } catch {
    // The end of a truncated file.
    return null
  }
}

export const timesOf = (logPath: string) => `${logPath}.times`

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
