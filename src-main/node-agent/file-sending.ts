import { resolve } from 'node:path'
import { openFrameMemory } from '../gateway/frame-memory'
import { headerBytes, transferWindow } from '../gateway/wire'
import { localFiles } from '../nodes/files/local-files'
import { type FileSource, pieceBytes } from '../nodes/files/node-files'
import type { Prefix } from '../nodes/files/partial-file'
import type { MoveOptions } from './file-moves'

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

/** Files that this node sends. */
export function createSending({ link, workspace, tell, wordsOf }: MoveOptions) {
  const sends = new Map<number, Sending>()

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
        link().binary(frame, () => spare.push(frame))
      }
      tell('transfer.complete', { transferId })
    } catch (error) {
      tell('transfer.complete', { transferId, error: wordsOf(error) })
    } finally {
      sends.delete(transferId)
      await sending.source.close()
    }
  }

  return {
    prepare,
    compare,
    send,
    ids: () => sends.keys(),
    ack(transferId: number, bytes: number): void {
      const sending = sends.get(transferId)
      if (!sending) return
      sending.acked = Math.max(sending.acked, bytes)
      sending.wake?.()
      sending.wake = null
    },
    async abort(transferId: number): Promise<void> {
      const sending = sends.get(transferId)
      if (!sending) return
      sending.stopped = true
      sending.wake?.()
      // A transfer that never started does not close its source by itself.
      if (!sending.started) await sending.source.close().catch(() => {})
      sends.delete(transferId)
    },
  }
}
