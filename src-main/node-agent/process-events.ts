import { z } from 'zod'
import type { LocalNode } from '../nodes/local'
import { ProcessRefusal } from '../nodes/process-refusal'
import type { ProcessTable } from '../nodes/process-table'
import { terminalArgv } from '../nodes/windows-shell'
import { loginShellPath } from '../tools/shell/shell'
import { eventId } from './answers'
import type { Link } from './link'
import type { Permits } from './permits'
import type { Streams } from './streams'

const startEvent = z.object({ sessionId: z.string() })
const permitted = z.object({ callId: eventId, permit: z.unknown() })
const inputEvent = z.object({ id: eventId, data: z.string() })
const resizeEvent = z.object({ id: eventId, cols: z.number(), rows: z.number() })
const signalEvent = z.object({ id: eventId, signal: z.string().regex(/^SIG[A-Z0-9]+$/) })
const ackEvent = z.object({ streamId: z.number(), offset: z.number() })

/** What the gateway may ask about processes, by the name of the event. */
export function processEvents(options: {
  table: ProcessTable
  node: Pick<LocalNode, 'type'>
  streams: Streams
  permits: Permits
  workspace: string
  link(): Link
}): [string, (payload: unknown) => void][] {
  const { table, node, streams } = options

  /** Runs `work` if the permit of the call is valid, and sends the result or the error. */
  const answer = (payload: unknown, work: () => Promise<object | undefined>): void => {
    const { callId, permit } = permitted.parse(payload)
    const refusal = options.permits.use(callId, permit)
    const allowed = refusal === null ? work() : Promise.reject(new Error(refusal))
    allowed.then(
      (result) => options.link().tell('process.result', { callId, ...result }),
      (error: unknown) => {
        const secretInput = error instanceof ProcessRefusal && error.kind === 'secret-input'
        const message = error instanceof Error ? error.message : String(error)
        options.link().tell('process.result', { callId, error: message, secretInput })
      },
    )
  }

  const startTerminal = async (sessionId: string): Promise<{ id: string }> => {
    const shell = loginShellPath(process.env.SHELL)
    const { id } = await table.start({
      sessionId,
      callId: null,
      command: shell,
      title: 'Terminal',
      argv: terminalArgv(shell),
      cwd: options.workspace,
      background: false,
      byUser: true,
    })
    return { id }
  }

  return [
    [
      'process.start',
      (payload) => {
        const { sessionId } = startEvent.parse(payload)
        answer(payload, () => startTerminal(sessionId))
      },
    ],
    [
      'process.write',
      (payload) => {
        const { id, data } = inputEvent.parse(payload)
        answer(payload, async () => {
          await table.write(id, data)
          return undefined
        })
      },
    ],
    [
      'process.input',
      (payload) => {
        const { id, data } = inputEvent.parse(payload)
        if (table.get(id)) node.type(id, data)
      },
    ],
    [
      'process.resize',
      (payload) => {
        const { id, cols, rows } = resizeEvent.parse(payload)
        if (table.get(id)) table.resize(id, cols, rows)
      },
    ],
    [
      'process.signal',
      (payload) => {
        const { id, signal } = signalEvent.parse(payload)
        if (table.get(id)) table.signal(id, signal as NodeJS.Signals)
      },
    ],
    [
      'process.ack',
      (payload) => {
        const { streamId, offset } = ackEvent.parse(payload)
        streams.ack(streamId, offset)
      },
    ],
  ]
}
