import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { isRecord } from '../is-record'
import type { Logger } from '../log'
import { takeBulkFrames } from './bulk-frames'
import { GatewayError } from './errors'
import { startHeartbeat } from './heartbeat'
import { createBucket } from './limits'
import { closeCodes, headerBytes, maxFrameBytes, type ResponseFrame, type WireError } from './wire'

const maxGreetingBytes = 512 * 1024
const rememberedIds = 4096
/** Invalid frames that a peer may send before it is disconnected. */
const allowedNonsense = 20
/** A socket with this much unsent data is treated as dead. */
const maxBuffered = 64 * 1024 * 1024

interface PeerOptions {
  log: Logger
  clock: () => number
  /** Answers a request; throws `GatewayError`. A promise is answered when it settles, possibly out of order. */
  request(method: string, params: unknown): unknown
  /** `release` lets a later frame reuse the memory of this one; calling it is optional. */
  binary(id: number, frame: Buffer, release: () => void): void
  /** Called once. */
  closed(reason: string): void
  heartbeatMs: number
  /** Allowed text frames per second; bursts may be ten times as large. */
  framesPerSecond: number
}

/** One socket of a node: sends and receives frames, and enforces the protocol limits. */
export interface Peer {
  readonly connectionId: string
  readonly address: string
  readonly latencyMs: number | null
  /** False until the `connect` request is accepted; until then only small frames are read. */
  greeted: boolean
  event(event: string, payload?: unknown): void
  /** `done` is called when the bytes have left this process. */
  binary(frame: Buffer, done?: () => void): void
  buffered(): number
  close(code: number, reason: string): void
  /** `pause` stops reading from the socket, `resume` continues. */
  pause(): void
  resume(): void
}

const requestFrame = z.object({
  type: z.literal('req'),
  id: z.union([z.string().min(1).max(128), z.number()]),
  method: z.string().min(1).max(100),
  params: z.unknown().optional(),
})

export function createPeer(socket: WebSocket, stream: Socket, options: PeerOptions): Peer {
  const { log, clock } = options
  const address = stream.remoteAddress ?? ''
  const connectionId = randomUUID()
  const isNew = rememberIds()
  const frames = createBucket({ size: options.framesPerSecond * 10, perSecond: options.framesPerSecond, clock })
  let sequence = 0
  let nonsense = 0
  let open = true
  let reason = ''

  const end = (why: string): void => {
    if (!open) return
    open = false
    heartbeat.stop()
    options.closed(reason || why)
  }
  const close = (code: number, why: string): void => {
    if (!open) return
    reason = why
    socket.close(code, why.slice(0, 120))
    // A peer that does not answer the close frame must not keep the socket open.
    setTimeout(() => socket.terminate(), 2000).unref()
    end(why)
  }
  const send = (frame: object) => {
    if (!open || socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxBuffered) {
      reason = 'It does not read what it is sent'
      socket.terminate()
      return end(reason)
    }
    socket.send(JSON.stringify(frame))
  }
  const respond = (frame: Omit<ResponseFrame, 'type'>): void => send({ type: 'res', ...frame })
  const refuse = (id: string | number | null, error: unknown): void => {
    if (!(error instanceof GatewayError)) log.error('A request of a node failed', { error })
    respond({ id, ok: false, error: wireError(error) })
  }
  const complain = (message: string): void => {
    nonsense++
    respond({ id: null, ok: false, error: { code: 400, message } })
    if (nonsense > allowedNonsense) close(closeCodes.policy, 'Too many malformed frames')
  }

  const answer = (id: string | number, method: string, params: unknown) =>
    settle(
      () => options.request(method, params),
      (payload) => respond({ id, ok: true, payload: payload ?? { ok: true } }),
      (error) => refuse(id, error),
    )

  const text = (data: Buffer) => {
    if (!peer.greeted && data.length > maxGreetingBytes) return close(closeCodes.tooBig, 'The first frame is too big')
    if (!frames.take()) return close(closeCodes.policy, 'Too many frames')
    const frame = parse(data)
    if (!isRecord(frame)) {
      respond({ id: null, ok: false, error: { code: 400, message: 'A frame must be a JSON object' } })
      return close(closeCodes.malformed, 'Malformed frame')
    }
    const { type } = frame
    if (type === 'res' || type === 'evt') return
    const read = requestFrame.safeParse(frame)
    if (!read.success) return complain('A frame needs a type, and a request an id and a method')
    const { id, method, params } = read.data
    if (!isNew(id)) return refuse(id, new GatewayError(409, 'This request id was used before'))
    answer(id, method, params)
  }

  const binary = (frame: Buffer, release: () => void): void => {
    if (!open) return
    if (peer.greeted && frame.length >= headerBytes) options.binary(frame.readUInt32LE(0), frame, release)
    else complain('Binary frames carry a number and bytes')
  }

  socket.on('message', (data, isBinary) => {
    const bytes = data as Buffer
    if (isBinary) binary(bytes, () => {})
    else if (open) text(bytes)
  })
  takeBulkFrames(stream, { masked: true, onFrame: binary })
  socket.on('error', (error) => {
    // Broken frames, invalid UTF-8 or oversized messages: the library closes the socket with the right code.
    log.warn('A node connection failed', { address, error: error.message })
  })
  socket.on('close', (code, why) =>
    end(why.toString() || (code === 1006 ? 'The connection was lost' : `Closed with ${code}`)),
  )
  const heartbeat = startHeartbeat({
    everyMs: options.heartbeatMs,
    ping: () => socket.ping(),
    silent: () => {
      reason = 'It stopped answering'
      socket.terminate()
      end(reason)
    },
  })
  socket.on('pong', heartbeat.answered)

  const peer: Peer = {
    connectionId,
    address,
    greeted: false,
    get latencyMs() {
      return heartbeat.latencyMs
    },
    event: (event, payload) => send({ type: 'evt', event, payload, seq: ++sequence }),
    binary(frame, done) {
      if (!open || socket.readyState !== socket.OPEN) return
      socket.send(frame, { binary: true }, () => done?.())
    },
    buffered: () => socket.bufferedAmount,
    close,
    pause() {
      heartbeat.pause()
      socket.pause()
    },
    resume() {
      heartbeat.resume()
      socket.resume()
    },
  }
  return peer
}

/** Whether an id was not used before, as far back as ids are remembered. */
const rememberIds = (): ((id: string | number) => boolean) => {
  const seen = new Set<string | number>()
  return (id) => {
    if (seen.has(id)) return false
    seen.add(id)
    const [oldest] = seen
    if (seen.size > rememberedIds && oldest !== undefined) seen.delete(oldest)
    return true
  }
}

/** Synchronous work is answered at once, so that answers keep the order of their requests. */
const settle = (work: () => unknown, done: (value: unknown) => void, failed: (error: unknown) => void): void => {
  try {
    const outcome = work()
    if (outcome instanceof Promise) outcome.then(done, failed)
    else done(outcome)
  } catch (error) {
    failed(error)
  }
}

const wireError = (error: unknown): WireError => {
  const known = error instanceof GatewayError ? error : new GatewayError(500, 'The gateway failed at this')
  const { code, message, retryable } = known
  return { code, message, ...(retryable && { retryable }) }
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Options for the server. No compression: a small frame could decompress into a huge one. */
export const socketOptions = {
  noServer: true,
  maxPayload: maxFrameBytes,
  perMessageDeflate: false,
  clientTracking: false,
} as const
