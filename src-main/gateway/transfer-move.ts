import { randomUUID } from 'node:crypto'
import type { Transfer } from '../../src-preload/contract/nodes'
import { worthKeeping } from '../nodes/files/partial-file'
import { GatewayError } from './errors'
import type { OpenedSource, SinkEnd, SourceEnd } from './transfer-ends'
import { headerBytes, transferWindow } from './wire'

export interface TransferRequest {
  /** `{nodeId}:/path` or `gsv:workspace/path`. */
  source: string
  destination: string
  /** The agent whose own files `gsv:` refers to. */
  agentId: string
  sessionId: string | null
  callId: string | null
  signal?: AbortSignal
  /** Called a few times a second. */
  onProgress?(transfer: Transfer): void
}

export interface TransferResult {
  source: string
  destination: string
  bytesTransferred: number
  mime?: string
}

/** One file on its way. */
export interface Move {
  info: Transfer
  done: Promise<TransferResult>
  fail(error: Error): void
}

interface MoveOptions {
  request: TransferRequest
  /** Identifies the transfer in binary frames. */
  number: number
  source: SourceEnd
  sink: SinkEnd
  clock: () => number
  /** Without progress for this long it fails. */
  idleMs: number
  publish(transfer: Transfer): void
}

const announceMs = 200
const ackEvery = 1024 * 1024
/** Bytes per millisecond that even a slow machine can read and hash. */
const slowestHash = 20_000

/** Moves a file from its source to its sink, and reports progress. */
export function startMove(options: MoveOptions): Move {
  const { request, source, sink, clock } = options
  const info = newTransfer(request, clock())
  /** Where this attempt began. */
  let resumedAt = 0
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  const orFailure = <Value>(value: Promise<Value>): Promise<Value> => Promise.race([value, failed])
  const watch = createWatch(options.idleMs, () =>
    fail(new GatewayError(504, `Transfer timeout: nothing moved for ${Math.round(options.idleMs / 1000)} seconds`)),
  )
  const announce = throttled(announceMs, () => {
    info.bytesPerSecond = Math.round(((info.bytes - resumedAt) / Math.max(1, clock() - info.startedAt)) * 1000)
    options.publish({ ...info })
    request.onProgress?.({ ...info })
  })
  const window = openWindow(source)
  sink.onLeft = window.left
  sink.onAck = (bytes) => {
    watch.touch()
    info.bytes = bytes
    window.written(bytes)
    announce.soon()
  }
  sink.onFailure = fail

  /** The offset to send from: after the part kept from an earlier attempt, if the source still begins with it. */
  const agreeOnStart = async (opened: OpenedSource): Promise<number> => {
    // Both ends may have to hash the file, and send nothing meanwhile.
    if (opened.resumable) watch.touch((2 * opened.size) / slowestHash)
    const kept = await sink.open(opened)
    if (!kept) return 0
    const start = opened.resumable && (await source.beginsWith(kept)) ? kept.bytes : 0
    sink.startAt(start)
    return start
  }

  /** Resolves with the number of bytes that the sink has written. */
  const send = async (size: number): Promise<number> => {
    let received = resumedAt
    const pushed = source.start((frame, release) => {
      watch.touch()
      received += frame.length - headerBytes
      // A source that ignores acknowledgements would fill the memory of this process and of the sink.
      if (received > size || received - window.acked() > transferWindow * 2) {
        return fail(new GatewayError(413, `The source sends more than the ${size} bytes that it announced`))
      }
      frame.writeUInt32LE(options.number, 0)
      sink.write(frame, release)
    }, resumedAt)
    await orFailure(pushed)
    if (received !== size) throw new GatewayError(500, `${received} bytes came instead of ${size}`)
    const written = await orFailure(sink.finish())
    if (written !== size) throw new GatewayError(500, `${written} bytes were written instead of ${size}`)
    return written
  }

  const run = async (): Promise<TransferResult> => {
    let resumable = false
    const abort = (): void => fail(request.signal?.reason)
    request.signal?.addEventListener('abort', abort, { once: true })
    try {
      announce.now()
      const opened = await orFailure(source.open())
      Object.assign(info, { size: opened.size, mime: opened.mime ?? null, state: 'running' })
      resumable = opened.resumable === true
      resumedAt = await orFailure(agreeOnStart(opened))
      info.bytes = resumedAt
      window.startAt(resumedAt)
      watch.touch()
      announce.now()
      const written = await send(opened.size)
      Object.assign(info, { state: 'done', bytes: written, endedAt: clock() })
      const { source: from, destination } = request
      return { source: from, destination, bytesTransferred: written, ...(opened.mime && { mime: opened.mime }) }
    } catch (error) {
      const keep = resumable && !request.signal?.aborted && error instanceof GatewayError && error.retryable
      source.abort()
      sink.abort(keep)
      const failure = request.signal?.aborted ? error : explained(error, info, keep && info.bytes >= worthKeeping)
      const words = failure instanceof Error ? failure.message : String(failure)
      Object.assign(info, { state: 'failed', endedAt: clock(), error: words })
      throw failure
    } finally {
      watch.stop()
      request.signal?.removeEventListener('abort', abort)
      // Late writes must not report progress any more.
      sink.onAck = sink.onLeft = () => {}
      announce.now()
    }
  }

  return { info, fail, done: run() }
}

function newTransfer({ source, destination, sessionId, callId }: TransferRequest, startedAt: number): Transfer {
  const empty = { bytes: 0, size: null, mime: null, bytesPerSecond: 0, endedAt: null, error: null }
  return { ...empty, id: randomUUID(), source, destination, state: 'starting', startedAt, sessionId, callId }
}

/** Acknowledges to the source. Two limits apply: bytes that left this process, and bytes written at the sink. */
function openWindow(source: SourceEnd) {
  let left = 0
  let written = 0
  let acked = 0
  const letMoreCome = (): void => {
    const open = Math.min(left, written + transferWindow)
    if (open - acked < ackEvery) return
    acked = open
    source.ack(open)
  }
  return {
    acked: () => acked,
    startAt(offset: number): void {
      left = written = acked = offset
    },
    left(bytes: number): void {
      left = bytes
      letMoreCome()
    },
    written(bytes: number): void {
      written = bytes
      letMoreCome()
    },
  }
}

/** Adds to the error how far the transfer got, that the destination is unchanged, and how to continue. */
function explained(error: unknown, info: Transfer, kept: boolean): unknown {
  if (!(error instanceof GatewayError) || info.size === null || (info.bytes === 0 && !error.retryable)) return error
  const how = `It stopped at ${info.bytes} of ${info.size} bytes`
  const next = kept
    ? 'Make the same call again to go on from there.'
    : 'The same call can be made again and starts from the beginning.'
  return new GatewayError(
    error.code,
    `${error.message}. ${how}; the destination is unchanged. ${next}`,
    error.retryable,
  )
}

/** Calls `onIdle` when `touch` has not been called for `ms`. */
function createWatch(ms: number, onIdle: () => void) {
  let touchedAt = performance.now()
  const look = () => {
    const left = ms - (performance.now() - touchedAt)
    if (left <= 0) return onIdle()
    timer = setTimeout(look, left)
  }
  let timer = setTimeout(look, ms)
  return {
    /** `ms`: extra time, beyond the usual limit, until the next call is due. */
    touch: (ms = 0): void => {
      touchedAt = performance.now() + ms
    },
    stop: (): void => clearTimeout(timer),
  }
}

/** Runs `act` at once (`now`) or within `ms` (`soon`); several `soon` calls are combined into one. */
function throttled(ms: number, act: () => void) {
  let timer: NodeJS.Timeout | null = null
  return {
    now(): void {
      if (timer) clearTimeout(timer)
      timer = null
      act()
    },
    soon(): void {
      timer ??= setTimeout(() => {
        timer = null
        act()
      }, ms)
    },
  }
}
