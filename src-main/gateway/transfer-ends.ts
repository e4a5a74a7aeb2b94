import type { z } from 'zod'
import { type FileSink, type FileSource, FileTrouble, type NodeFiles } from '../nodes/files/node-files'
import type { Prefix } from '../nodes/files/partial-file'
import { NodeError } from '../nodes/node-error'
import { GatewayError } from './errors'
import type { NodeLink } from './hub'
import { headerBytes, type transferAccept, type transferMeta, transferWindow } from './wire'

/** Call `release` when the frame is no longer needed, so that its memory can be reused. */
type PushFrame = (frame: Buffer, release: () => void) => void

export interface OpenedSource {
  size: number
  mime?: string
  /** The source can check whether its file begins with what the destination already has. */
  resumable?: boolean
}

/** The sending end. At most `transferWindow` bytes are unacknowledged at any time. */
export interface SourceEnd {
  open(): Promise<OpenedSource>
  beginsWith(prefix: Prefix): Promise<boolean>
  /** Hands over frames with room for the header; resolves after the last one. */
  start(push: PushFrame, offset: number): Promise<void>
  /** `bytes` in total have been accepted, so the source may send more. */
  ack(bytes: number): void
  /** Receives the messages of the node; absent if the files are accessed directly. */
  told?: Told
  abort(): void
}

/** The receiving end. `onAck` is called as bytes are written. */
export interface SinkEnd {
  /** Resolves with the part that an earlier attempt left at the destination. */
  open(file: OpenedSource): Promise<Prefix | null>
  /** Keeps that part up to `offset` and continues from there. */
  startAt(offset: number): void
  write(frame: Buffer, release: () => void): void
  /** Called with the total of bytes that have left this process. */
  onLeft: (bytes: number) => void
  onAck: (bytes: number) => void
  onFailure: (error: Error) => void
  /** Resolves with the number of bytes written. */
  finish(): Promise<number>
  told?: Told
  /** With `keep`, the bytes received so far are kept for the next attempt. */
  abort(keep: boolean): void
}

type Answer<Schema extends z.ZodType> = Omit<z.output<Schema>, 'transferId'>

/** Handlers for the messages of the node at this end. */
export interface Told {
  meta?(answer: Answer<typeof transferMeta>): void
  accept?(answer: Answer<typeof transferAccept>): void
  compared?(answer: { same: boolean }): void
  complete?(answer: { error?: string | undefined }): void
  done?(answer: { bytesWritten?: number | undefined; error?: string | undefined }): void
  ack?(bytes: number): void
  chunk?: PushFrame
  link: NodeLink
}

/** A file that is accessible directly: on this machine, or on one reached through a shell. */
export interface FileEnd {
  /** The name of the machine. */
  node: string
  files: NodeFiles
  path(): Promise<string>
}

export function fileSource({ node, files, path }: FileEnd): SourceEnd {
  const refuse = refusing(node)
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
      source = await files.source(await path()).catch(refuse)
      return { size: source.size, ...(source.mime && { mime: source.mime }), resumable: true }
    },
    beginsWith: async (prefix) => source?.beginsWith(prefix).catch(refuse) ?? false,
    async start(push, offset) {
      if (!source) throw new Error('The source is not open')
      const spare: Buffer[] = []
      source.startAt(offset)
      acked = offset
      try {
        for (let sent = offset; !stopped; ) {
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

export function fileSink({ node, files, path }: FileEnd): SinkEnd {
  const refuse = refusing(node)
  let sink: FileSink | null = null
  let aborted = false
  const end: SinkEnd = {
    onAck: () => {},
    onLeft: () => {},
    onFailure: () => {},
    async open({ size, resumable }) {
      const progress = {
        written(bytes: number) {
          end.onLeft(bytes)
          end.onAck(bytes)
        },
        failed: (error: Error) => end.onFailure(refusal(error, node)),
      }
      sink = await files.sink(await path(), size, progress, resumable ?? false).catch(refuse)
      if (aborted) await sink.abort(true)
      return sink.kept
    },
    startAt: (offset) => sink?.startAt(offset),
    write: (frame, release) => sink?.write(frame.subarray(headerBytes), release),
    finish: async () => (sink ? sink.finish().catch(refuse) : 0),
    abort(keep) {
      aborted = true
      void sink?.abort(keep)
    },
  }
  return end
}

/** A file of another machine, which sends it over its socket. */
export function nodeSource(link: NodeLink, transferId: number, path: string): SourceEnd {
  const opened = settle<OpenedSource>()
  const compared = settle<boolean>()
  const completed = settle<void>()
  return {
    open() {
      link.peer.event('transfer.send', { transferId, path })
      return opened.promise
    },
    beginsWith(prefix) {
      link.peer.event('transfer.compare', { transferId, ...prefix })
      return compared.promise
    },
    start(push, offset) {
      this.told = { ...(this.told as Told), chunk: push }
      link.peer.event('transfer.start', { transferId, ...(offset > 0 && { offset }) })
      return completed.promise
    },
    ack: (bytes) => link.peer.event('transfer.ack', { transferId, bytes }),
    told: {
      link,
      meta: ({ size, mime, resumable, error }) =>
        error !== undefined || size === undefined
          ? opened.reject(new GatewayError(500, error ?? 'The source did not tell its size'))
          : opened.resolve({ size, ...(mime && { mime }), ...(resumable && { resumable }) }),
      compared: ({ same }) => compared.resolve(same),
      complete: ({ error }) =>
        error === undefined ? completed.resolve() : completed.reject(new GatewayError(500, error)),
    },
    abort: () => link.peer.event('transfer.abort', { transferId }),
  }
}

export function nodeSink(link: NodeLink, transferId: number, path: string): SinkEnd {
  const accepted = settle<Prefix | null>()
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
    startAt(offset) {
      left = offset
      link.peer.event('transfer.resume', { transferId, offset })
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
      accept: ({ kept, error }) =>
        error === undefined ? accepted.resolve(kept ?? null) : accepted.reject(new GatewayError(500, error)),
      ack: (bytes) => end.onAck(bytes),
      done: ({ bytesWritten, error }) => {
        if (error === undefined) return done.resolve(bytesWritten ?? 0)
        const failure = new GatewayError(500, error)
        done.reject(failure)
        end.onFailure(failure)
      },
    },
    abort: (keep) => link.peer.event('transfer.abort', { transferId, ...(keep && { keep }) }),
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
  // Prevents an unhandled rejection: if the other end failed first, nobody awaits this promise.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

const refusing =
  (node: string) =>
  (error: unknown): never => {
    throw error instanceof Error ? refusal(error, node) : error
  }

/** Converts an error of this end: a lost connection may be retried, a problem with the file itself may not. */
function refusal(error: Error, node: string): Error {
  if (error instanceof FileTrouble) return new GatewayError(500, error.message, false)
  return error instanceof NodeError ? new GatewayError(503, `Node disconnected: ${node} (${error.message})`) : error
}
