import type { Logger } from '../log'
import { FileTrouble } from '../nodes/files/node-files'
import { createReceiving } from './file-receiving'
import { createSending } from './file-sending'
import type { Link } from './link'

/** What both directions of a transfer need. */
export interface MoveOptions {
  link(): Link
  workspace: string
  tell(method: string, params: object): void
  /** What the other side is told of a failure. */
  wordsOf(error: unknown): string
}

export type FileMoves = ReturnType<typeof createFileMoves>

/** The node's part in a transfer: it sends or receives a file. */
export function createFileMoves({ link, workspace, log }: { link: () => Link; workspace: string; log: Logger }) {
  const options: MoveOptions = {
    link,
    workspace,
    tell: (method, params) => link().tell(method, params),
    wordsOf: (error) => {
      if (error instanceof FileTrouble) return error.message
      log.error('A transfer failed', { error: String(error) })
      return error instanceof Error ? error.message : String(error)
    },
  }
  const sending = createSending(options)
  const receiving = createReceiving(options)

  const abort = async (transferId: number, keep: boolean): Promise<void> => {
    await sending.abort(transferId)
    await receiving.abort(transferId, keep)
  }

  return {
    prepare: sending.prepare,
    compare: sending.compare,
    send: sending.send,
    ack: sending.ack,
    accept: receiving.accept,
    resume: receiving.resume,
    chunk: receiving.chunk,
    finish: receiving.finish,
    abort,
    /** Called when the connection is lost: aborts all transfers, but keeps received bytes for the next attempt. */
    down(): void {
      for (const id of [...sending.ids(), ...receiving.ids()]) void abort(id, true)
    },
  }
}
