import { z } from 'zod'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { Access } from '../../approval/types'
import type { ProcessTable } from '../../nodes/process-table'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import { maxOutputChars, tailChars } from '../shell/shell'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tool'
import { keySequence, UnknownKey } from './key-names'
import {
  backgroundOf,
  backgroundProcess,
  isRunning,
  screenOf,
  signalNamed,
  statusOf,
  typeInto,
} from './process-control'
import { areHarmless, typingAccess } from './typing-access'

/** A list only shows a short tail; `poll` returns the whole one. */
const listTailChars = 400
/** How long a kill waits for the process to end, so that the next look does not find it running. */
const killWaitMs = 1_000

const actions = ['list', 'poll', 'log', 'write', 'submit', 'keys', 'signal', 'kill', 'screen'] as const

const shape = inputShape(() =>
  z.object({
    action: z.enum(actions),
    sessionId: z.string().optional().describe('For all but list'),
    data: z.string().optional().describe('Text for write; submit adds Enter'),
    keys: z.array(z.string()).optional().describe('Such as C-c, Enter, Up, q'),
    signal: z.string().optional().describe('Default SIGTERM'),
    offset: z.number().int().min(0).optional().describe('log: lines to skip'),
    limit: z.number().int().optional().describe('log: lines, default 200'),
  }),
)

export type ProcessInput = ReturnType<typeof shape.parse> & { sequence: string }

interface ProcessToolDeps {
  table: ProcessTable
  node: string
  clock: () => number
}

/** Reads, types into and ends what Bash left in the background. */
export function createProcessTool({ table, node, clock }: ProcessToolDeps): Tool<ProcessInput> {
  const find = (input: ProcessInput, context: ToolContext): ProcessInfo =>
    backgroundProcess(table, context.sessionId, input.sessionId ?? '', clock())

  return {
    description:
      'Manage background commands of Bash: list them, poll one (status and tail), log (lines), write or submit input, send keys or a signal, kill, screen (what a full-screen program shows).',
    schema: shape.schema,
    parse: parseProcess,
    readOnly: false,
    access: (input, { workspace }) => accessOf(input, node, workspace, table),
    gist: ({ action, sessionId, data, keys, signal }) =>
      [action, sessionId && (table.get(sessionId)?.title ?? sessionId), data ?? keys?.join(' ') ?? signal]
        .filter(Boolean)
        .join(' '),
    async run(input, context) {
      if (input.action === 'list') return list(table, context.sessionId, clock())
      try {
        return await act(table, find(input, context), input)
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error
        const content = jsonContent({ status: 'failed', error: error.message })
        throw new ToolFailure(error.kind, error.message, { content })
      }
    },
  }
}

function parseProcess(raw: unknown): ProcessInput {
  const input = shape.parse(raw)
  if (input.action !== 'list' && !input.sessionId) {
    throw new ToolFailure('InvalidArgs', `\`sessionId\` is required for ${input.action}`)
  }
  if (input.action === 'keys' && !input.keys?.length)
    throw new ToolFailure('InvalidArgs', '`keys` is required for keys')
  if (input.action === 'signal') signalNamed(input.signal ?? 'SIGTERM')
  try {
    return { ...input, sequence: (input.keys ?? []).map(keySequence).join('') }
  } catch (error) {
    if (error instanceof UnknownKey) throw new ToolFailure('InvalidArgs', `\`keys\`: ${error.message}`)
    throw error
  }
}

/** Reading its own processes changes nothing, and ending what it was allowed to start needs no further permission. */
function accessOf(input: ProcessInput, node: string, workspace: string, table: ProcessTable): Access {
  const row = table.get(input.sessionId ?? '')
  const place = { node, cwd: row?.cwd ?? workspace, workspace }
  const quiet: Access = { action: 'read', ...place }
  const { data, keys = [] } = input
  const before = row ? table.typedLine(row.id) : ''
  switch (input.action) {
    case 'write':
      return data ? typingAccess(data, { sent: data, before }, place, row) : quiet
    case 'submit':
      return typingAccess(data ?? '', { sent: data ?? '', before }, place, row)
    case 'keys':
      return areHarmless(keys) ? quiet : typingAccess(keys.join(' '), { sent: input.sequence, before }, place, row)
    default:
      return quiet
  }
}

async function act(table: ProcessTable, row: ProcessInfo, input: ProcessInput): Promise<ToolResult> {
  const { id: sessionId } = row
  const { action, data = '' } = input
  switch (action) {
    case 'poll':
      return shown(row, {
        status: statusOf(row),
        sessionId,
        exitCode: row.exitCode,
        signal: row.signal,
        timedOut: row.timedOut,
        tail: await table.tail(sessionId, tailChars),
        running: isRunning(row),
      })
    case 'log': {
      const offset = input.offset ?? 0
      const limit = Math.max(1, input.limit ?? 200)
      const { lines, totalLines, totalChars } = await table.lines(sessionId, offset, limit)
      return shown(row, {
        status: statusOf(row),
        sessionId,
        log: lines.join('\n'),
        totalLines,
        totalChars,
        truncated: offset + lines.length < totalLines,
        ...(!isRunning(row) && { exitCode: row.exitCode, signal: row.signal }),
      })
    }
    case 'write':
      return typed(table, row, data)
    case 'submit':
      // A terminal's Enter key sends a carriage return, which the line discipline turns into a newline.
      return typed(table, row, data + (row.tty ? '\r' : '\n'))
    case 'keys':
      return typed(table, row, input.sequence)
    case 'signal': {
      const name = signalNamed(input.signal ?? 'SIGTERM')
      if (!isRunning(row)) throw new ToolFailure('ExecutionFailed', `Session ${sessionId} has already exited`)
      table.signal(sessionId, name)
      return shown(row, { status: 'running', sessionId, message: `Sent ${name}` })
    }
    case 'kill': {
      if (!isRunning(row)) return shown(row, { status: statusOf(row), sessionId, message: 'It had already exited' })
      table.kill(sessionId)
      await table.wait(sessionId, killWaitMs)
      return shown(row, { status: 'running', sessionId, message: 'Sent SIGKILL' })
    }
    case 'screen': {
      const { text, cursor } = await screenOf(table, row)
      return shown(row, { status: statusOf(row), sessionId, screen: text, cursor })
    }
    case 'list':
      throw new Error('`list` has no session')
  }
}

async function typed(table: ProcessTable, row: ProcessInfo, data: string): Promise<ToolResult> {
  await typeInto(table, row, data)
  return shown(row, { status: 'running', sessionId: row.id, bytesWritten: Buffer.byteLength(data) })
}

const shown = (row: ProcessInfo, result: object): ToolResult => ({
  content: jsonContent(result),
  display: {
    type: 'process',
    processId: row.id,
    command: row.command,
    bytes: row.bytes,
    ...(!isRunning(row) && { exitCode: row.exitCode }),
  },
})

async function list(table: ProcessTable, sessionId: string, now: number): Promise<ToolResult> {
  const rows = backgroundOf(table, sessionId, now)
  const sessions = await Promise.all(
    rows.map(async (row) => ({
      sessionId: row.id,
      status: statusOf(row),
      pid: row.pid,
      startedAt: row.startedAt,
      endedAt: row.endedAt,
      runtimeMs: (row.endedAt ?? now) - row.startedAt,
      workdir: row.cwd,
      command: row.command,
      tail: await table.tail(row.id, listTailChars),
      truncated: row.bytes > maxOutputChars,
      exitCode: row.exitCode,
      signal: row.signal,
      timedOut: row.timedOut,
    })),
  )
  const text = sessions.map((session) => `${session.sessionId} ${session.status} ${session.command}`).join('\n')
  return {
    content: jsonContent({ status: 'completed', sessions, text: text || 'No running or recent sessions.' }),
    display: { type: 'text', text: text || 'No running or recent sessions.' },
  }
}
