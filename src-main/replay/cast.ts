import { statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Cast, CastEvent } from '../../src-preload/contract/replay'
import { usualTerminalSize } from '../../src-preload/contract/terminal'
import { createMirror } from '../pty-host/mirror'
import { createSanitiser, type Sanitiser } from '../pty-host/sanitise'
import { readSizeLog } from '../pty-host/size-log'
import { readTimeLog, type TimedEvent } from '../pty-host/time-log'
import { createUtf8Stream, type Utf8Stream } from '../pty-host/utf8-stream'

/** Of a longer log the end is shown, from a screen that was made of what comes before it. */
export const maxCastBytes = 8 * 1024 * 1024
/** Output of a program that ran no longer than this needs no times. */
const briefMs = 2000

type Times = Pick<ProcessInfo, 'tty' | 'startedAt' | 'endedAt'>

/** What a log showed over time, with nothing in it that could reach beyond a terminal's screen. */
export async function readCast(logPath: string, process: Times, maxBytes = maxCastBytes): Promise<Cast> {
  const bytes = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0
  const timed = readTimeLog(logPath)
  const history = readSizeLog(logPath, usualTerminalSize)
  const first = timed.find((event) => event.type === 'size')
  const size = first ? { cols: first.cols, rows: first.rows } : history.sizeAt(0)
  const untimed =
    bytes > 0 && timed.length === 0 && (process.endedAt ?? Number.POSITIVE_INFINITY) - process.startedAt > briefMs
  const all = completed(timed, bytes, process)
  const skipped = bytes > maxBytes ? firstAfter(all, bytes - maxBytes) : 0

  const cleaning = { live: false, bareLineFeeds: !process.tty }
  let { cols, rows } = size
  let from = skipped
  const events: CastEvent[] = []
  let decoder = createUtf8Stream()
  let sanitiser = createSanitiser({ rows: () => rows, ...cleaning })
  if (skipped > 0) {
    const mirror = createMirror({ logPath, history, cleaning: () => cleaning })
    const snapshot = await mirror.snapshot(skipped, 'whole')
    mirror.dispose()
    ;({ decoder, sanitiser, cols, rows } = snapshot)
    const at = all.find((event) => event.type === 'output' && event.bytes >= skipped)?.at ?? process.startedAt
    events.push([at, 'size', cols, rows], [at, 'output', snapshot.data])
  }
  if (bytes === 0) return { ...size, skipped, untimed, events: all.flatMap(keyOrSize) }
  const file = await open(logPath, 'r')
  try {
    for (const event of all) {
      if (event.type !== 'output') {
        if (event.type === 'size') ({ cols, rows } = event)
        events.push(...keyOrSize(event))
        continue
      }
      const until = Math.min(event.bytes, bytes)
      if (until <= from) continue
      addOutput(events, event.at, await textOf(file, from, until, decoder, sanitiser))
      from = until
    }
  } finally {
    await file.close()
  }
  return { ...size, skipped, untimed, events: events.sort((a, b) => a[0] - b[0]) }
}

/** What is left of a log after the last time that is known was written at its end. */
function completed(timed: TimedEvent[], bytes: number, { startedAt, endedAt }: Times): TimedEvent[] {
  const known = timed.reduce((sum, event) => (event.type === 'output' ? event.bytes : sum), 0)
  if (known >= bytes) return timed
  const at = Math.max(timed.at(-1)?.at ?? startedAt, endedAt ?? startedAt)
  return [...timed, { at, type: 'output', bytes }]
}

const firstAfter = (all: readonly TimedEvent[], wanted: number): number =>
  all.flatMap((event) => (event.type === 'output' && event.bytes >= wanted ? event.bytes : []))[0] ?? wanted

function keyOrSize(event: TimedEvent): CastEvent[] {
  if (event.type === 'size') return [[event.at, 'size', event.cols, event.rows]]
  return event.type === 'typed' ? [[event.at, 'typed', event.by, event.text]] : []
}

async function textOf(
  file: FileHandle,
  from: number,
  to: number,
  decoder: Utf8Stream,
  sanitiser: Sanitiser,
): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(to - from), 0, to - from, from)
  return sanitiser.push(decoder.push(buffer.subarray(0, bytesRead)))
}

function addOutput(events: CastEvent[], at: number, text: string): void {
  const last = events.at(-1)
  if (text === '') return
  if (last?.[1] === 'output' && last[0] === at) last[2] += text
  else events.push([at, 'output', text])
}
