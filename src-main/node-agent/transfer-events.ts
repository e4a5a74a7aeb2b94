import { z } from 'zod'
import type { FileMoves } from './file-moves'

const transfer = z.object({ transferId: z.number() })
const path = z.string().min(1)
const bytes = z.number().min(0)
const offset = z.int().min(0)

const send = transfer.extend({ path })
const compare = transfer.extend({ bytes, sha256: z.string() })
const start = transfer.extend({ offset: offset.default(0) })
const receive = transfer.extend({ path, size: bytes, resumable: z.boolean().default(false) })
const resume = transfer.extend({ offset })
const abort = transfer.extend({ keep: z.boolean().default(false) })
const ack = transfer.extend({ bytes })

/** Handlers for the transfer events of the gateway; each throws if the payload is invalid. */
export function transferEvents(moves: FileMoves): [string, (payload: unknown) => void][] {
  const on = <Schema extends z.ZodType>(
    event: string,
    schema: Schema,
    act: (payload: z.output<Schema>) => unknown,
  ): [string, (payload: unknown) => void] => [event, (payload) => void act(schema.parse(payload))]
  return [
    on('transfer.send', send, ({ transferId, path }) => moves.prepare(transferId, path)),
    on('transfer.compare', compare, ({ transferId, ...prefix }) => moves.compare(transferId, prefix)),
    on('transfer.start', start, ({ transferId, offset }) => moves.send(transferId, offset)),
    on('transfer.receive', receive, ({ transferId, ...file }) => moves.accept(transferId, file)),
    on('transfer.resume', resume, ({ transferId, offset }) => moves.resume(transferId, offset)),
    on('transfer.end', transfer, ({ transferId }) => moves.finish(transferId)),
    on('transfer.abort', abort, ({ transferId, keep }) => moves.abort(transferId, keep)),
    on('transfer.ack', ack, ({ transferId, bytes }) => moves.ack(transferId, bytes)),
  ]
}
