import { resolve } from 'node:path'
import { openFrameMemory } from '../gateway/frame-memory'
import { headerBytes, transferWindow } from '../gateway/wire'
import type { Logger } from '../log'
import { localFiles } from '../nodes/files/local-files'
import { type FileSink, type FileSource, FileTrouble, pieceBytes } from '../nodes/files/node-files'
import type { Prefix } from '../nodes/files/partial-file'
import type { Link } from './link'

/** Written bytes between two acknowledgements. */
const ackEvery = 1024 * 1024

/** As many as are on their way at once, and some that are being read. */
const sendingFrames = transferWindow / pieceBytes + 8

interface Sending {
  source: FileSource
  sent: number
  acked: number
  wake: (() => void) | null
  started: boolean
  stopped: boolean
}

/** The node's part in a transfer: it sends or receives a file. */
export function createFileMoves(options: { link: () => Link; workspace: string; log: Logger }) {
  const { workspace, log } = options
  const sends = new Map<number, Sending>()
  const receipts = new Map<number, FileSink>()
  /** Files that are being opened, which can take a while if the rest of an earlier attempt has to be hashed. */
  const opening = new Set<number>()
  const tell = (method: string, params: object): void => options.link().tell(method, params)

  const prepare = async (transferId: number, path: string): Promise<void> => {
    try {
      const source = await localFiles.source(resolve(workspace, path))
      sends.set(transferId, { source, sent: 0, acked: 0, wake: null, started: false, stopped: false })
      const { size, mime } = source
      tell('transfer.meta', { transferId, size, ...(mime && { mime }), resumable: true })
    } catch (error) {
      tell('transfer.meta', { transferId, error: wordsOf(error) })
    }
  }

  const compare = async (transferId: number, prefix: Prefix): Promise<void> => {
    const same = await sends
      .get(transferId)
      ?.source.beginsWith(prefix)
      .catch(() => false)
    tell('transfer.compared', { transferId, same: same === true })
  }

  const send = async (transferId: number, offset: number): Promise<void> => {
    const sending = sends.get(transferId)
    if (!sending) return
    sending.source.startAt(offset)
    sending.sent = sending.acked = offset
    sending.started = true
    const spare = openFrameMemory(sendingFrames, pieceBytes + headerBytes)
    try {
      for (;;) {
        while (!sending.stopped && sending.sent - sending.acked >= transferWindow) {
          await new Promise<void>((wake) => {
            sending.wake = wake
          })
        }
        if (sending.stopped) return
        const frame = await sending.source.next(headerBytes, spare)
        if (!frame) break
        frame.writeUInt32LE(transferId, 0)
        sending.sent += frame.length - headerBytes
        options.link().binary(frame, () => spare.push(frame))
      }
      tell('transfer.complete', { transferId })
    } catch (error) {
      tell('transfer.complete', { transferId, error: wordsOf(error) })
    } finally {
      sends.delete(transferId)
      await sending.source.close()
    }
  }

  const accept = async (
    transferId: number,
    { path, size, resumable }: { path: string; size: number; resumable: boolean },
  ): Promise<void> => {
    opening.add(transferId)
    try {
      let acked = 0
      const progress = {
        written(bytes: number) {
          if (bytes - acked < ackEvery) return
          acked = bytes
          tell('transfer.ack', { transferId, bytes })
        },
        failed(error: Error) {
          const sink = receipts.get(transferId)
          receipts.delete(transferId)
          tell('transfer.done', { transferId, error: error.message })
          void sink?.abort()
        },
      }
      const sink = await localFiles.sink(resolve(workspace, path), size, progress, resumable)
      if (!opening.delete(transferId)) return await sink.abort(true)
      receipts.set(transferId, sink)
      tell('transfer.accept', { transferId, ...(sink.kept && { kept: sink.kept }) })
    } catch (error) {
      opening.delete(transferId)
      tell('transfer.accept', { transferId, error: wordsOf(error) })
    }
  }

  const finish = async (transferId: number): Promise<void> => {
    const sink = receipts.get(transferId)
    receipts.delete(transferId)
    if (!sink) return
    try {
      const bytesWritten = await sink.finish()
      tell('transfer.done', { transferId, bytesWritten })
    } catch (error) {
      tell('transfer.done', { transferId, error: wordsOf(error) })
    }
  }

  const abort = async (transferId: number, keep: boolean): Promise<void> => {
    const sending = sends.get(transferId)
    if (sending) {
      sending.stopped = true
      sending.wake?.()
      // A transfer that never started does not close its source by itself.
      if (!sending.started) await sending.source.close().catch(() => {})
      sends.delete(transferId)
    }
    const sink = receipts.get(transferId)
    receipts.delete(transferId)
    opening.delete(transferId)
    await sink?.abort(keep)
  }

  const wordsOf = (error: unknown): string => {
    if (error instanceof FileTrouble) return error.message
    log.error('A transfer failed', { error: String(error) })
    return error instanceof Error ? error.message : String(error)
  }

  return {
    prepare,
    compare,
    send,
    accept,
    resume: (transferId: number, offset: number): void => receipts.get(transferId)?.startAt(offset),
    finish,
    abort,
    ack(transferId: number, bytes: number): void {
      const sending = sends.get(transferId)
      if (!sending) return
      sending.acked = Math.max(sending.acked, bytes)
      sending.wake?.()
      sending.wake = null
    },
    chunk: (transferId: number, chunk: Buffer, done: () => void): void => receipts.get(transferId)?.write(chunk, done),
    /** Called when the connection is lost: aborts all transfers, but keeps received bytes for the next attempt. */
    down(): void {
      for (const id of [...sends.keys(), ...receipts.keys(), ...opening]) void abort(id, true)
    },
  }
}

export type FileMoves = ReturnType<typeof createFileMoves>
