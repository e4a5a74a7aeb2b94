import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { smallestBulk } from '../gateway/bulk-frames'
import { maskedFrame } from '../gateway/masked-frame'
import { type EventFrame, headerBytes, type ResponseFrame } from '../gateway/wire'
import type { Logger } from '../log'
import { UntrustedGateway } from './dial'
import { handshakeMs, listenTo, openSocket } from './open-socket'
import { createRequests, Refusal } from './requests'

const requestMs = 30_000
const keepAliveMs = 300_000
const keepAliveLimitMs = 10_000
/** The gateway pings every 30 seconds; after three missed pings the connection counts as dead. */
const silenceMs = 100_000
/** The state of a WebSocket that takes frames. */
const socketOpen = 1
const firstRetryMs = 1_000
const longestRetryMs = 30_000
/** Long, because a refused token is unlikely to be accepted soon. */
const refusedRetryMs = 5 * 60_000

interface LinkOptions {
  url: string
  token: string
  /** What the gateway's certificate is known by, where no authority vouches for it. */
  pin?: string
  /** Params of `connect`, created for each connection. */
  greeting(nonce: string): object
  log: Logger
  onEvent(event: string, payload: unknown): void
  /** `release` lets a later chunk reuse the memory of this one; calling it is optional. */
  onBinary(id: number, chunk: Buffer, release: () => void): void
  /** Called after each accepted `connect`, with the gateway's response. */
  onUp(hello: unknown): void
  onDown(reason: string): void
  /** The very first attempt was refused for good: a wrong token, an id that is taken. */
  onRefused(reason: string): void
  keepAliveMs?: number
  retryMs?: number
}

/** The node's end of the connection. Reconnects by itself, with a growing and randomized delay. */
export interface Link {
  readonly connected: boolean
  /** Rejects if there is no connection or it is lost meanwhile, and with `Refusal` if the gateway refuses. */
  request(method: string, params: object, timeoutMs?: number): Promise<unknown>
  /** Sends a request without waiting for the response. */
  tell(method: string, params: object): void
  /** The bytes of a frame may be changed by sending it; `done` is called when they are no longer needed. */
  binary(frame: Buffer, done?: () => void): void
  buffered(): number
  close(): void
}

export function openLink(options: LinkOptions): Link {
  const { log } = options
  let socket: WebSocket | null = null
  /** What the socket writes to, once it is open. */
  let stream: Duplex | null = null
  let up = false
  let everUp = false
  let closed = false
  let attempt = 0
  let retry: NodeJS.Timeout | undefined
  let silence: NodeJS.Timeout | undefined

  const { send, ask, settle, failAll } = createRequests((text) => socket?.send(text))

  const greet = (nonce: string): Promise<unknown> =>
    ask('connect', options.greeting(nonce), handshakeMs, (hello) => {
      up = true
      everUp = true
      attempt = 0
      options.onUp(hello)
    })

  const text = (data: Buffer) => {
    const frame: ResponseFrame | EventFrame = JSON.parse(data.toString('utf8'))
    if (frame.type === 'res') return settle(frame)
    if (frame.type !== 'evt') return
    if (up) return options.onEvent(frame.event, frame.payload)
    if (frame.event !== 'connect.challenge') return
    const { nonce } = frame.payload as { nonce: string }
    greet(nonce).catch((error: unknown) => {
      const refused = error instanceof Refusal
      log.warn('The gateway refused this node', { reason: error instanceof Error ? error.message : String(error) })
      if (refused && !everUp) options.onRefused(error.message)
      socket?.close()
    })
  }

  const binary = (frame: Buffer, release: () => void): void => {
    noteLife()
    if (up && frame.length >= headerBytes) {
      options.onBinary(frame.readUInt32LE(0), frame.subarray(headerBytes), release)
    }
  }

  const noteLife = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => socket?.terminate(), silenceMs)
    silence.unref()
  }

  const connect = async (): Promise<void> => {
    const opened = await openSocket(options, () => !closed)
    if (!opened) return
    socket = opened
    noteLife()
    listenTo(opened, {
      alive: noteLife,
      text,
      binary,
      opened: (raw) => {
        stream = raw
      },
      failed: (error) => log.debug('The connection failed', { reason: error.message }),
      closed: (reason, refused) => {
        clearTimeout(silence)
        if (socket === opened) lost(reason, refused)
      },
    })
  }

  const lost = (reason: string, refused: boolean): void => {
    const wasUp = up
    socket = null
    stream = null
    up = false
    failAll(`The connection to the gateway was lost: ${reason}`)
    if (wasUp) {
      log.warn('Connection lost', { reason })
      options.onDown(reason)
    }
    if (refused && !everUp) options.onRefused(reason)
    else if (!closed) later(refused ? refusedRetryMs : backoff(attempt++, options.retryMs ?? firstRetryMs))
  }

  const later = (ms: number): void => {
    retry = setTimeout(start, ms)
  }
  const start = (): void => {
    connect().catch((error: unknown) => {
      if (closed) return
      const reason = error instanceof Error ? error.message : String(error)
      if (error instanceof UntrustedGateway) {
        log.error('The gateway cannot be trusted', { reason })
        return everUp ? later(refusedRetryMs) : options.onRefused(reason)
      }
      log.debug('The connection failed', { reason })
      later(backoff(attempt++, options.retryMs ?? firstRetryMs))
    })
  }

  const keepAlive = setInterval(() => {
    if (!up) return
    ask('tools.list', {}, keepAliveLimitMs).catch(() => socket?.terminate())
  }, options.keepAliveMs ?? keepAliveMs)
  keepAlive.unref()
  start()

  return {
    get connected() {
      return up
    },
    request: (method, params, timeoutMs = requestMs) =>
      up ? ask(method, params, timeoutMs) : Promise.reject(new Error('There is no connection to the gateway')),
    tell(method, params) {
      if (up) send(method, params)
    },
    binary(frame, done) {
      if (!up) return
      // The library writes at once too, so the order of frames is kept.
      if (frame.length >= smallestBulk && stream && socket?.readyState === socketOpen)
        stream.write(maskedFrame(frame), () => done?.())
      else socket?.send(frame, { binary: true }, () => done?.())
    },
    buffered: () => socket?.bufferedAmount ?? 0,
    close() {
      closed = true
      clearTimeout(retry)
      clearTimeout(silence)
      clearInterval(keepAlive)
      socket?.close(1000, 'The node stops')
    },
  }
}

/** Exponential backoff up to a limit, plus up to 50 % at random. */
const backoff = (attempt: number, first: number): number =>
  Math.min(longestRetryMs, first * 2 ** Math.min(attempt, 10)) * (1 + Math.random() / 2)
