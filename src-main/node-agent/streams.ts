import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { binaryFrame, chunkBytes, streamWindow } from '../gateway/wire'
import type { Logger } from '../log'
import type { Link } from './link'

/** Delay before a log that is shorter than announced is read again. */
const lagMs = 5

interface Stream {
  readonly row: ProcessInfo
  size: { cols: number; rows: number }
  /** The id that the gateway assigned; `null` until the gateway knows the process. */
  streamId: number | null
  /** Incremented with every connection, so that work for an older one can be dropped. */
  epoch: number
  /** Offsets in the log: sent, acknowledged, and written by the program. */
  sent: number
  acked: number
  total: number
  pumping: boolean
  ended: boolean
}

/** The gateway's answer to `process.open`; without a number if the session of the process is gone. */
const opened = z.object({ streamId: z.number().optional(), offset: z.number().optional() })

/**
 * Sends the output of every process to the gateway. It is read from the log, which has every byte. A lost connection
 * loses nothing: when the node reconnects, the gateway says how much it already has.
 */
export function createStreams(options: { link: () => Link; logPath(id: string): string; log: Logger }) {
  const { log, logPath } = options
  const streams = new Map<string, Stream>()
  const numbers = new Map<number, Stream>()

  const openAtGateway = async (stream: Stream): Promise<void> => {
    const { row } = stream
    const epoch = ++stream.epoch
    stream.streamId = null
    const answer = opened.parse(await options.link().request('process.open', openParams(stream)))
    if (stream.epoch !== epoch) return
    if (answer.streamId === undefined) {
      // Its session is gone, so nobody would see it.
      streams.delete(row.id)
      return
    }
    stream.streamId = answer.streamId
    stream.sent = stream.acked = answer.offset ?? 0
    numbers.set(answer.streamId, stream)
    // The gateway forgot that it waits for input when the connection was lost.
    const { prompt: _, ...seen } = row
    tellOf(options.link(), { ...seen, secretInput: false }, row)
    await pump(stream)
  }

  const pump = async (stream: Stream): Promise<void> => {
    if (stream.pumping) return
    stream.pumping = true
    const { epoch } = stream
    try {
      await readLog(logPath(stream.row.id), {
        next: () => {
          const most = Math.min(chunkBytes, stream.total - stream.sent, room(stream))
          return isLive(stream, epoch, options.link()) && most > 0 ? { from: stream.sent, most } : null
        },
        take: (chunk) => isLive(stream, epoch, options.link()) && send(stream, chunk),
      })
    } finally {
      stream.pumping = false
    }
    if (stream.epoch !== epoch && stream.streamId !== null) return pump(stream)
    if (isLive(stream, epoch, options.link()) && stream.ended && stream.sent === stream.total) await end(stream)
  }

  const send = (stream: Stream, chunk: Uint8Array): void => sendChunk(options.link(), stream, chunk)

  const end = async (stream: Stream): Promise<void> => {
    await options.link().request('process.end', endParams(stream))
    streams.delete(stream.row.id)
    if (stream.streamId !== null) numbers.delete(stream.streamId)
  }

  /** Ignores send errors: the output is sent after the next connection. */
  const quietly = (work: Promise<void>, id: string): void => {
    work.catch((error: Error) => log.debug('Output waits', { process: id, reason: error.message }))
  }

  return {
    /** A new row, or one that has changed. */
    row(row: ProcessInfo, size: { cols: number; rows: number }): void {
      const known = streams.get(row.id)
      if (!known) {
        if (row.status !== 'running') return
        const stream = newStream(row, size)
        streams.set(row.id, stream)
        if (options.link().connected) quietly(openAtGateway(stream), row.id)
        return
      }
      tellOf(options.link(), known.row, row)
      update(known, row)
      quietly(pump(known), row.id)
    },
    /** Sends fresh output directly, for low latency. The chunk ends at offset `end` of the log. */
    output(id: string, chunk: Uint8Array, end: number): void {
      const stream = streams.get(id)
      if (!stream) return
      const follows = stream.sent === end - chunk.length && chunk.length <= Math.min(chunkBytes, room(stream))
      stream.total = Math.max(stream.total, end)
      if (follows && !stream.pumping && isLive(stream, stream.epoch, options.link())) send(stream, chunk)
      else quietly(pump(stream), id)
    },
    ack(streamId: number, offset: number): void {
      const stream = numbers.get(streamId)
      if (!stream || offset <= stream.acked) return
      stream.acked = Math.min(offset, stream.sent)
      quietly(pump(stream), stream.row.id)
    },
    /** Called after each reconnect: announces all processes again, so that the gateway knows which ones are lost. */
    async up(): Promise<void> {
      numbers.clear()
      const waits = (error: Error): void => log.debug('Output waits', { reason: error.message })
      await Promise.all([...streams.values()].map((stream) => openAtGateway(stream).catch(waits)))
    },
    down(): void {
      for (const stream of streams.values()) stream.streamId = null
      numbers.clear()
    },
    ids: (): string[] => [...streams.keys()],
  }
}

/** Whether the connection that this work was begun for still stands. */
const isLive = (stream: Stream, epoch: number, { connected }: Link): boolean =>
  stream.epoch === epoch && stream.streamId !== null && connected

/** How much may be sent before more of it is acknowledged. */
const room = ({ sent, acked }: Stream): number => streamWindow - (sent - acked)

const newStream = (row: ProcessInfo, size: Stream['size']): Stream => ({
  row,
  size,
  streamId: null,
  epoch: 0,
  sent: 0,
  acked: 0,
  total: row.bytes,
  pumping: false,
  ended: false,
})

const sendChunk = (link: Link, stream: Stream, chunk: Uint8Array): void => {
  stream.sent += chunk.length
  link.binary(binaryFrame(stream.streamId ?? 0, chunk))
}

const tellOf = (link: Link, before: ProcessInfo, now: ProcessInfo): void => {
  for (const event of eventsOf(before, now)) link.tell('process.event', { id: now.id, event })
}

const update = (stream: Stream, row: ProcessInfo): void => {
  Object.assign(stream.row, row)
  if (!row.prompt) delete stream.row.prompt
  stream.total = Math.max(stream.total, row.bytes)
  stream.ended = row.status !== 'running'
}

const openParams = ({ row, size }: Stream) => ({
  id: row.id,
  sessionId: row.sessionId,
  callId: row.callId,
  command: row.command,
  title: row.title,
  cwd: row.cwd,
  pid: row.pid,
  size,
  background: row.background,
  byUser: row.byUser,
  startedAt: row.startedAt,
})

const endParams = ({ row: { id, exitCode, signal, timedOut, status }, total: bytes }: Stream) => ({
  ...{ id, exitCode, signal, bytes, timedOut },
  ...(status === 'lost' && { lost: true }),
})

/** What the gateway has to be told of a changed row, beside its output. */
const eventsOf = (before: ProcessInfo, now: ProcessInfo): object[] => [
  ...(now.background && !before.background ? [{ type: 'background' }] : []),
  ...(now.timedOut && !before.timedOut ? [{ type: 'timed-out' }] : []),
  ...(now.secretInput !== before.secretInput ? [{ type: 'secret-input', active: now.secretInput }] : []),
  ...(now.prompt !== before.prompt ? [{ type: 'prompt', prompt: now.prompt ?? null }] : []),
]

interface LogReader {
  /** Where to read on, and how much at most; null to stop. */
  next(): { from: number; most: number } | null
  take(chunk: Uint8Array): void
}

/** Reads a log as far as it is announced, and waits for what is not on disk yet. */
async function readLog(path: string, { next, take }: LogReader): Promise<void> {
  let file: FileHandle | null = null
  try {
    for (let wanted = next(); wanted; wanted = next()) {
      const { from, most } = wanted
      file ??= await openIfThere(path)
      const read = await file?.read(Buffer.allocUnsafe(most), 0, most, from)
      if (read?.bytesRead) take(read.buffer.subarray(0, read.bytesRead))
      else await new Promise((resolve) => setTimeout(resolve, lagMs))
    }
  } finally {
    await file?.close()
  }
}

/** A log file is created with its first byte, which may not be on disk yet. */
const openIfThere = (path: string): Promise<FileHandle | null> =>
  open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

export type Streams = ReturnType<typeof createStreams>
