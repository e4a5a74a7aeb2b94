import type { PaneMessage, PaneRequest } from '../../src-preload/contract/processes'
import type { Mirror, Snapshot, SnapshotKind } from './mirror'
import type { ProcessExit } from './process'
import { createSanitiser, type Sanitiser, type SanitiserOptions } from './sanitise'
import { createUtf8Stream, type Utf8Stream } from './utf8-stream'

const BATCH_MS = 5
const BATCH_CHARS = 64 * 1024
/** With more unacknowledged than this, the pane skips ahead; the program does not wait. */
const MAX_UNACKNOWLEDGED = 512 * 1024
/** A pane acknowledges in steps, so a little is always outstanding. */
const CAUGHT_UP = 64 * 1024
/** Output that waits while a snapshot is made; a flood exceeds it and is skipped again. */
const MAX_WAITING_BYTES = 512 * 1024
const SETTLE_MS = 250
/** The interval between snapshots of a flood, and how much output in it makes it a flood. */
const GLANCE_MS = 100
const FLOOD_BYTES = 256 * 1024
const MAX_HISTORY_BYTES = 64 * 1024 * 1024

/** The host's end of a pane's own channel, whatever kind of port it is. */
export interface PanePort {
  post(message: PaneMessage): void
  onRequest(listener: (request: PaneRequest) => void): void
  onClose(listener: () => void): void
  close(): void
}

/** What a pane shows: a running process, or the log of one that has ended. */
export interface PaneSource {
  /** Bytes of output so far. */
  offset(): number
  /** Resolves when the log file holds everything up to `offset`. */
  written(offset: number): Promise<void>
  mirror: Mirror
  size(): { cols: number; rows: number }
  /** How output is sanitised. */
  cleaning(): SanitiserOptions
  exit(): ProcessExit | null
  /** The user is typing elsewhere: anything that can wait does. */
  givesWay(): boolean
  readLog(from: number, to: number): Promise<Buffer>
  input(data: string, scrolled?: boolean): void
  resize(cols: number, rows: number): void
}

export interface PaneReader {
  /** A chunk of output, valid during the call only, that ends at `offset` of the log. */
  output(chunk: Uint8Array, offset: number): void
  sizeChanged(cols: number, rows: number): void
  /** All output was passed to `output`. */
  ended(exit: ProcessExit): void
}

/**
 * One reader of a process, at its own speed. It starts with a snapshot and continues with batches; if it falls behind,
 * it stops and continues with a new snapshot once it has shown what it was sent.
 */
export function createPaneReader(port: PanePort, source: PaneSource, onClose: () => void): PaneReader {
  let state: 'following' | 'behind' | 'starting' | 'closed' = 'behind'
  let decoder: Utf8Stream = createUtf8Stream()
  let sanitiser: Sanitiser = createSanitiser(source.cleaning())
  let offset = 0
  let batch = ''
  let sendScheduled = false
  let lastSent = 0
  let unacknowledged = 0
  /** Output that arrived while a snapshot was made. */
  const waiting = createWaitingOutput()
  /** Where the pane last skipped output, until a complete snapshot has replaced it. */
  let skippedFrom: number | null = null
  let lastGlance = 0
  let settleTimer: NodeJS.Timeout | null = null
  let exit: ProcessExit | null = null

  const isOpen = () => state !== 'closed'

  const send = () => {
    sendScheduled = false
    if (batch === '' || state !== 'following') return
    unacknowledged += batch.length
    port.post({ type: 'data', data: batch, offset })
    batch = ''
    lastSent = performance.now()
    if (unacknowledged > MAX_UNACKNOWLEDGED) letGo()
  }

  const letGo = () => {
    state = 'behind'
    batch = ''
    skippedFrom ??= offset
  }

  const follow = (chunk: Uint8Array, end: number) => {
    batch += sanitiser.push(decoder.push(chunk))
    offset = end
    if (batch.length >= BATCH_CHARS) send()
    else if (batch !== '' && !sendScheduled) {
      sendScheduled = true
      const wait = BATCH_MS - (performance.now() - lastSent)
      // The first piece after a pause, usually an echo, is sent before anything else is read.
      if (wait <= 0) queueMicrotask(send)
      else setTimeout(send, wait)
    }
  }

  const start = async (kind: SnapshotKind): Promise<void> => {
    state = 'starting'
    const at = source.offset()
    waiting.clear()
    const snapshot = at === 0 ? null : await source.written(at).then(() => source.mirror.snapshot(at, kind))
    if (isOpen()) begin(snapshot, at, kind)
  }

  const begin = (snapshot: Snapshot | null, at: number, kind: SnapshotKind) => {
    const { cols, rows } = snapshot ?? source.size()
    const skipped = skippedFrom === null ? 0 : at - skippedFrom
    if (kind === 'whole') skippedFrom = null
    else skippedFrom ??= at
    decoder = snapshot?.decoder ?? createUtf8Stream()
    sanitiser = snapshot?.sanitiser ?? createSanitiser(source.cleaning())
    port.post({ type: 'snapshot', data: snapshot?.data ?? '', offset: at, cols, rows, skipped })
    state = 'following'
    offset = at
    unacknowledged = 0
    settleSoon()
    const flooding = kind === 'glance' && at - lastGlance > FLOOD_BYTES
    lastGlance = at
    if (flooding || waiting.isTooMuch()) return glanceAgain()
    for (const chunk of waiting.chunks()) follow(chunk, offset + chunk.length)
    waiting.clear()
    finish()
  }

  /** A flood that nobody can follow: shows a snapshot at intervals instead of streaming everything. */
  const glanceAgain = () => {
    waiting.clear()
    letGo()
    const due = performance.now() + GLANCE_MS
    const look = () => {
      if (state !== 'behind') return
      // Not between a key and its echo, but do not wait forever.
      if (source.givesWay() && performance.now() < due + GLANCE_MS) setTimeout(look, BATCH_MS)
      else restart('glance')
    }
    setTimeout(look, GLANCE_MS)
  }

  /** After a flood, when everything is shown, the complete scrollback is restored. */
  const settleSoon = () => {
    if (skippedFrom === null || settleTimer) return
    settleTimer = setTimeout(() => {
      settleTimer = null
      if (skippedFrom === null || state === 'closed') return
      const quiet = performance.now() - lastSent >= SETTLE_MS
      if (quiet && state === 'following' && unacknowledged <= CAUGHT_UP) restart('whole')
      else settleSoon()
    }, SETTLE_MS)
  }

  const restart = (kind: SnapshotKind) => {
    start(kind).catch((error: unknown) => {
      if (state === 'closed') return
      console.error('A terminal snapshot failed:', error)
      begin(null, source.offset(), 'whole')
    })
  }

  const finish = () => {
    if (!exit || state !== 'following') return
    send()
    port.post({ type: 'exit', ...exit })
    exit = null
  }

  port.onRequest((request) => {
    if (state === 'closed') return
    switch (request.type) {
      case 'input':
        return source.input(request.data, request.scrolled)
      case 'ack':
        unacknowledged = Math.max(0, unacknowledged - request.chars)
        if (state === 'behind' && unacknowledged <= CAUGHT_UP) restart('glance')
        return
      case 'resize':
        return source.resize(request.cols, request.rows)
      case 'history':
        readHistory(source, request.before, request.bytes).then(
          (history) => isOpen() && port.post(history),
          (error) => console.error('Older output is missing:', error),
        )
        return
    }
  })
  port.onClose(() => {
    state = 'closed'
    if (settleTimer) clearTimeout(settleTimer)
    onClose()
  })
  exit = source.exit()
  restart('whole')

  return {
    output(chunk, end) {
      if (state === 'following') follow(chunk, end)
      else if (state === 'starting') waiting.add(chunk)
    },
    sizeChanged(cols, rows) {
      send()
      if (state === 'following') port.post({ type: 'size', cols, rows })
    },
    ended(ending) {
      exit = ending
      finish()
    },
  }
}

/** Keeps chunks until there are too many of them: then a new snapshot is quicker than all of them. */
function createWaitingOutput() {
  let chunks: Buffer[] = []
  let bytes = 0
  const isTooMuch = () => bytes > MAX_WAITING_BYTES
  return {
    isTooMuch,
    chunks: (): readonly Buffer[] => chunks,
    add(chunk: Uint8Array): void {
      if (isTooMuch()) return
      bytes += chunk.length
      chunks.push(Buffer.from(chunk))
    },
    clear(): void {
      chunks = []
      bytes = 0
    },
  }
}

/** Whole lines from before an offset of the log, as a pane may show them. */
async function readHistory(source: PaneSource, before: number, bytes: number) {
  const to = Math.min(before, source.offset())
  const from = Math.max(0, to - Math.min(bytes, MAX_HISTORY_BYTES))
  await source.written(to)
  const raw = await source.readLog(from, to)
  const skip = from === 0 ? 0 : raw.indexOf(0x0a) + 1
  const clean = createSanitiser(source.cleaning())
  const data = clean.push(createUtf8Stream().push(raw.subarray(skip)))
  return { type: 'history', data, from: from + skip, to } as const
}
