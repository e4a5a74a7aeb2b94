import { z } from 'zod'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { ProcessTable } from '../../nodes/process-table'
import { resolvePath } from '../../tools/files/paths'
import { inputShape } from '../../tools/input'
import { type HostCommands, routeToHost } from '../../tools/shell/host-commands'
import { runProgram } from '../../tools/shell/run-program'
import { runShell } from '../../tools/shell/shell'
import { createProcessTool, type ProcessInput } from '../../tools/terminals/process'
import { backgroundProcess, isRunning, signalNamed, statusOf, typeInto } from '../../tools/terminals/process-control'
import { textContent } from '../../tools/text-content'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../../tools/tool'

const defaultSeconds = 1800
const leastSeconds = 10
const completedChars = 100_000
const backgroundChars = 10_000
/** The part of them for the lines around the output. */
const frameChars = 500

const text = z.string().refine((value) => !value.includes('\0'), 'must not contain NUL characters')

const execShape = inputShape(() =>
  z.object({
    command: text.refine((command) => command.trim() !== '', 'must not be empty'),
    workdir: text.optional(),
    env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'is not a variable name'), text).optional(),
    background: z.boolean().optional().describe('Return a process_id at once'),
    timeout: z.number().positive().optional().describe('Seconds, default 1800, at least 10'),
  }),
)

type ExecInput = ReturnType<typeof execShape.parse>

interface RuntimeDeps {
  table: ProcessTable
  node: string
  clock: () => number
  /** Commands that run outside the sandbox; `null` if there is none. */
  hostCommands?(): HostCommands | null
}

/** Shell commands. A host command is sent to the host automatically; the model need not know. */
export function createMiclawExec({ table, node, hostCommands = () => null }: RuntimeDeps): Tool<ExecInput> {
  const routed = ({ command }: ExecInput) => routeToHost(command, hostCommands())
  const folder = ({ workdir }: ExecInput, workspace: string): string =>
    workdir === undefined ? workspace : resolvePath(workdir, workspace)
  return {
    description: 'Run a shell command and wait for it, or start it in the background and use `process`.',
    ...execShape,
    readOnly: false,
    access: (input, { workspace, sandbox }) => {
      const cwd = folder(input, workspace)
      const place = { action: 'exec', node, workspace, cwd, sandboxed: sandbox !== undefined } as const
      const argv = routed(input)
      // The gate gets what really runs.
      if (argv) return { ...place, argv }
      return {
        ...place,
        command: input.command,
        shell: 'login',
        cageable: true,
        env: input.env,
        triable: !input.background,
      }
    },
    gist: ({ command }) => command.trim().split('\n')[0]?.slice(0, 200) ?? '',
    withCommand: (input, command) => execShape.parse({ ...input, command }),
    async run(input, context) {
      const { command, env = {}, background = false, timeout } = input
      const cwd = folder(input, context.workspace)
      const timeoutMs = Math.max(leastSeconds, timeout ?? defaultSeconds) * 1000
      const argv = routed(input)
      if (argv) return onHost(table, input, { command, argv, cwd, timeoutMs, node }, context)
      const row = await runShell(
        table,
        // A background command has a limit only if one was asked for.
        { command, cwd, env, background, tty: true, ...((!background || timeout !== undefined) && { timeoutMs }) },
        context,
      )
      return row.status === 'running' ? started(table, row) : ended(table, row, timeoutMs, context)
    },
  }
}

async function onHost(
  table: ProcessTable,
  { env, background }: ExecInput,
  request: Parameters<typeof runProgram>[1],
  context: ToolContext,
): Promise<ToolResult> {
  if (background) throw new ToolFailure('InvalidArgs', 'A command of the host cannot run in the background')
  if (env && Object.keys(env).length > 0) throw new ToolFailure('InvalidArgs', '`env` does not reach the host')
  const { exitCode, stdout, stderr, row } = await runProgram(table, request, context)
  const output = [stdout, stderr].filter(Boolean).join('\n')
  return { content: textContent(framed(lastOf(output, completedChars), exitCode)), display: displayOf(row, output) }
}

async function started(table: ProcessTable, row: ProcessInfo): Promise<ToolResult> {
  const tail = await table.tail(row.id, backgroundChars - frameChars)
  return { content: textContent(withState(row, tail)), display: displayOf(row, tail) }
}

async function ended(
  table: ProcessTable,
  row: ProcessInfo,
  timeoutMs: number,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const { text: output, truncated } = await table.output(row.id, { maxChars: completedChars - frameChars })
  signal.throwIfAborted()
  const shown = truncated ? `[Only the end of the output]\n${output}` : output
  const display = displayOf(row, output)
  const content = textContent(framed(shown, row.exitCode ?? -1, row.signal))
  if (row.timedOut) {
    const message = `The command was ended after ${timeoutMs / 1000} seconds`
    throw new ToolFailure('Timeout', message, { content: textContent(`${message}\n${shown}`), display })
  }
  if (row.status === 'lost') throw new ToolFailure('ExecutionFailed', 'The command was lost', { content, display })
  return { content, display }
}

const framed = (output: string, exitCode: number, signal: string | null = null): string => {
  const end = signal ? `[ended by ${signal}]` : exitCode === 0 ? '' : `[exit code ${exitCode}]`
  return [output.trimEnd(), end].filter(Boolean).join('\n') || '(no output)'
}

const lastOf = (output: string, chars: number): string =>
  output.length <= chars - frameChars
    ? output
    : `[Only the end of the output]\n${output.slice(frameChars - chars).toWellFormed()}`

const withState = (row: ProcessInfo, output: string): string => {
  const end = isRunning(row) ? '' : row.signal ? `, ${row.signal}` : `, exit code ${row.exitCode}`
  return [
    `process_id: ${row.id}`,
    `status: ${statusOf(row)}${end}`,
    `pid: ${row.pid}`,
    ...(output ? ['', output] : []),
  ].join('\n')
}

const displayOf = (row: ProcessInfo, output = '') =>
  ({
    type: 'process',
    processId: row.id,
    command: row.command,
    tail: output.slice(-4000),
    bytes: row.bytes,
    ...(!isRunning(row) && { exitCode: row.exitCode }),
  }) as const

const processShape = inputShape(
  () =>
    z.object({
      action: z.enum(['status', 'input', 'signal', 'poll']),
      process_id: z.string().min(1),
      input: z.string().optional().describe('Written to stdin as it is'),
      signal: z.string().optional().describe('Such as SIGTERM, the default'),
    }),
  ({ action, input, signal }) => {
    if (action === 'input' && input === undefined) throw new ToolFailure('InvalidArgs', '`input` is required for input')
    if (action === 'signal') signalNamed(signal ?? 'SIGTERM')
  },
)

type ProcessWish = ReturnType<typeof processShape.parse>

/** Reads, types into and signals what `exec` left in the background. */
export function createMiclawProcess({ table, node, clock }: RuntimeDeps): Tool<ProcessWish> {
  const base = createProcessTool({ table, node, clock })
  const asBase = ({ action, process_id, input = '', signal }: ProcessWish): ProcessInput => ({
    action: action === 'input' ? 'write' : action === 'signal' ? 'signal' : 'poll',
    sessionId: process_id,
    data: input,
    signal,
    sequence: '',
  })
  return {
    description: 'A background process of `exec`: status, poll (status and latest output), input, signal.',
    ...processShape,
    readOnly: false,
    access: (wish, context) => base.access(asBase(wish), context),
    gist: (wish) => base.gist(asBase(wish)),
    async run({ action, process_id, input = '', signal = 'SIGTERM' }, { sessionId }) {
      const row = backgroundProcess(table, sessionId, process_id, clock())
      switch (action) {
        case 'status':
          return { content: textContent(withState(row, '')), display: displayOf(row) }
        case 'poll':
          return started(table, row)
        case 'input':
          await typeInto(table, row, input)
          return { content: textContent(`Wrote ${Buffer.byteLength(input)} bytes`), display: displayOf(row) }
        case 'signal': {
          if (!isRunning(row)) throw new ToolFailure('ExecutionFailed', `Process ${row.id} has already ended`)
          const name = signalNamed(signal)
          table.signal(row.id, name)
          return { content: textContent(`Sent ${name}`), display: displayOf(row) }
        }
      }
    },
  }
}
