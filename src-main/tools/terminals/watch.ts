import { z } from 'zod'
import type { WatchedFor } from '../../../src-preload/contract/processes'
import type { ProcessTable } from '../../nodes/process-table'
import { type Watches, WatchRefusal } from '../../watches/watches'
import { inputShape } from '../input'
import type { ObjectTool } from '../object-tool'
import { present } from '../object-tool'
import { tailChars } from '../shell/shell'
import { ToolFailure } from '../tool'
import { backgroundProcess } from './process-control'

const shape = inputShape(
  () =>
    z.object({
      sessionId: z.string(),
      text: z.string().min(1).max(500).optional().describe('It prints this'),
      silence: z.number().min(1).max(86_400).optional().describe('It prints nothing for so many seconds'),
      port: z.number().int().min(1).max(65_535).optional().describe('It listens on this port'),
      clear: z.boolean().optional().describe('Forget what was watched for before'),
    }),
  (input) => {
    if (wanted(input).length === 0 && !input.clear)
      throw new ToolFailure('InvalidArgs', 'Say what to watch for: `text`, `silence` or `port`')
  },
)

type WatchInput = ReturnType<typeof shape.parse>

interface WatchToolDeps {
  table: ProcessTable
  watches: Watches | null | undefined
  clock: () => number
}

/** Lets the agent do something else, or end its turn, until something happens in a background process. */
export function createWatchTool({ table, watches, clock }: WatchToolDeps): ObjectTool<WatchInput> {
  return {
    description:
      'Be woken, once, when a background command of Bash prints a text, falls silent or opens a port, instead of polling it. Its end wakes you anyway.',
    ...shape,
    readOnly: false,
    access: (_, { workspace }) => ({ action: 'read', node: 'local', cwd: workspace, workspace }),
    gist: (input) => [table.get(input.sessionId)?.title ?? input.sessionId, ...wanted(input).map(gistOf)].join(' '),
    async execute(input, { sessionId }) {
      const row = backgroundProcess(table, sessionId, input.sessionId, clock())
      const service = present(watches)
      if (input.clear) service.clear(row.id)
      for (const each of wanted(input)) add(service, row.id, each)
      const tail = input.text === undefined ? '' : await table.tail(row.id, tailChars)
      return {
        status: 'watching',
        sessionId: row.id,
        watching: (table.get(row.id)?.watches ?? []).map(({ id: _, ...each }) => each),
        // A server may have printed it before this call.
        ...(input.text && tail.includes(input.text) && { note: 'This text stands in the output already', tail }),
      }
    },
  }
}

const wanted = ({ text, silence, port }: WatchInput): WatchedFor[] => [
  ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
  ...(silence === undefined ? [] : [{ kind: 'silence', seconds: silence } as const]),
  ...(port === undefined ? [] : [{ kind: 'port', port } as const]),
]

const gistOf = (each: WatchedFor): string => {
  if (each.kind === 'text') return JSON.stringify(each.text)
  if (each.kind === 'silence') return `silent for ${each.seconds} s`
  return each.kind === 'port' ? `port ${each.port}` : 'its end'
}

function add(watches: Watches, processId: string, each: WatchedFor): void {
  try {
    watches.add(processId, each)
  } catch (error) {
    if (error instanceof WatchRefusal) throw new ToolFailure('ExecutionFailed', error.message)
    throw error
  }
}
