import { resolve } from 'node:path'
import { localFiles } from '../nodes/files/local-files'
import type { FileSink } from '../nodes/files/node-files'
import type { MoveOptions } from './file-moves'

/** Written bytes between two acknowledgements. */
const ackEvery = 1024 * 1024

/** Files that this node receives. */
export function createReceiving({ workspace, tell, wordsOf }: MoveOptions) {
  const receipts = new Map<number, FileSink>()
  /** Files that are being opened, which can take a while if the rest of an earlier attempt has to be hashed. */
  const opening = new Set<number>()

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
      tell('transfer.accept', { transferId, kept: sink.kept ?? undefined })
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

  return {
    accept,
    resume: (transferId: number, offset: number): void => receipts.get(transferId)?.startAt(offset),
    chunk: (transferId: number, chunk: Buffer, done: () => void): void => receipts.get(transferId)?.write(chunk, done),
    finish,
    ids: () => [...receipts.keys(), ...opening],
    async abort(transferId: number, keep: boolean): Promise<void> {
      const sink = receipts.get(transferId)
      receipts.delete(transferId)
      opening.delete(transferId)
      await sink?.abort(keep)
    },
  }
}
