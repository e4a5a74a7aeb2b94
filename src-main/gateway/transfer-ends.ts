import { GatewayError } from './errors'
import { type FileSink, type FileSource, FileTrouble, openFileSink, openFileSource } from './file-ends'
import type { NodeLink } from './hub'
import { headerBytes, transferWindow } from './wire'

/** `release` when the frame is not needed any more: its memory is used again. */
type PushFrame = (frame: Buffer, release: () => void) => void

/** Where bytes come from. Only `transferWindow` of them are ever under way. */
export interface SourceEnd {
  open(): Promise<{ size: number; mime?: string }>
  /** Hands over frames with room for the header; resolves after the last one. */
  start(push: PushFrame): Promise<void>
  /** So many bytes are in their place. */
  ack(bytes: number): void
  /** What the other side of the wire tells; nothing for a file of this machine. */
  told?: Told
  abort(): void
}

/** Where they go. `onAck` is called as they are written. */
export interface SinkEnd {
  open(file: { size: number; mime?: string }): Promise<void>
  write(frame: Buffer, release: () => void): void
  /** So many bytes have left this process. */
  onLeft: (bytes: number) => void
  onAck: (bytes: number) => void
  onFailure: (error: Error) => void
  /** Resolves with the bytes in place. */
  finish(): Promise<number>
  told?: Told
  abort(): void
}

/** Messages of the node at this end; each settles what waits for it. */
export interface Told {
  meta?(answer: { size?: number | undefined; mime?: string | undefined; error?: string | undefined }): void
  accept?(answer: { error?: string | undefined }): void
  complete?(answer: { error?: string | undefined }): void
  done?(answer: { bytesWritten?: number | undefined; error?: string | undefined }): void
  ack?(bytes: number): void
  chunk?: PushFrame
  link: NodeLink
}

/** A file of this machine. */
export function fileSource(path: () => Promise<string>): SourceEnd {
  let source: FileSource | null = null
  let acked = 0
  let wake: (() => void) | null = null
  let stopped = false
  const goOn = (): void => {
    wake?.()
    wake = null
  }
  return {
    async open() {
      source = await openFileSource(await path()).catch(refuse)
      return { size: source.size, ...(source.mime && { mime: source.mime }) }
    },
    async start(push) {
      if (!source) throw new Error('The source is not open')
      const spare: Buffer[] = []
      try {
        for (let sent = 0; !stopped; ) {
          const frame = await source.next(headerBytes, spare).catch(refuse)
          if (!frame) return
          push(frame, () => spare.push(frame))
          sent += frame.length - headerBytes
          while (!stopped && sent - acked >= transferWindow) {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        }
      } finally {
        await source.close()
        source = null
      }
    },
    ack(bytes) {
      acked = bytes
      goOn()
    },
    abort() {
      stopped = true
      goOn()
      void source?.close()
    },
  }
}

export function fileSink(path: () => Promise<string>): SinkEnd {
  let sink: FileSink | null = null
  const end: SinkEnd = {
    onAck: () => {},
    onLeft: () => {},
    onFailure: () => {},
    async open({ size }) {
      const progress = {
        written(bytes: number) {
          end.onLeft(bytes)
          end.onAck(bytes)
        },
        failed: (error: Error) => end.onFailure(new GatewayError(500, error.message, false)),
      }
      sink = await openFileSink(await path(), size, progress).catch(refuse)
    },
    write: (frame, release) => sink?.write(frame.subarray(headerBytes), release),
    finish: async () => (sink ? sink.finish().catch(refuse) : 0),
    abort: () => void sink?.abort(),
  }
  return end
}

/** A file of another machine, which sends it over its socket. */
export function nodeSource(link: NodeLink, transferId: number, path: string): SourceEnd {
  const opened = settle<{ size: number; mime?: string }>()
  const completed = settle<void>()
  return {
    open() {
      link.peer.event('transfer.send', { transferId, path })
      return opened.promise
    },
    start(push) {
      this.told = { ...(this.told as Told), chunk: push }
      link.peer.event('transfer.start', { transferId })
      return completed.promise
    },
    ack: (bytes) => link.peer.event('transfer.ack', { transferId, bytes }),
    told: {
      link,
      meta: ({ size, mime, error }) =>
        error !== undefined || size === undefined
          ? opened.reject(new GatewayError(500, error ?? 'The source did not tell its size'))
          : opened.resolve({ size, ...(mime && { mime }) }),
      complete: ({ error }) =>
        error === undefined ? completed.resolve() : completed.reject(new GatewayError(500, error)),
    },
    abort: () => link.peer.event('transfer.abort', { transferId }),
  }
}

export function nodeSink(link: NodeLink, transferId: number, path: string): SinkEnd {
  const accepted = settle<void>()
  const done = settle<number>()
  let left = 0
  const end: SinkEnd = {
    onAck: () => {},
    onLeft: () => {},
    onFailure: () => {},
    open(file) {
      link.peer.event('transfer.receive', { transferId, path, ...file })
      return accepted.promise
    },
    write(frame, release) {
      const bytes = frame.length - headerBytes
      link.peer.binary(frame, () => {
        release()
        left += bytes
        end.onLeft(left)
      })
    },
    finish() {
      link.peer.event('transfer.end', { transferId })
      return done.promise
    },
    told: {
      link,
      accept: ({ error }) => (error === undefined ? accepted.resolve() : accepted.reject(new GatewayError(500, error))),
      ack: (bytes) => end.onAck(bytes),
      done: ({ bytesWritten, error }) => {
        if (error === undefined) return done.resolve(bytesWritten ?? 0)
        const failure = new GatewayError(500, error)
        done.reject(failure)
        end.onFailure(failure)
      },
    },
    abort: () => link.peer.event('transfer.abort', { transferId }),
  }
  return end
}

function settle<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: Error): void } {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Whoever waits hears of it; a transfer that failed at its other end leaves nobody waiting.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

const refuse = (error: unknown): never => {
  throw error instanceof FileTrouble ? new GatewayError(500, error.message, false) : error
}
