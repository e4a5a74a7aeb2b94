import { z } from 'zod'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import { inheritingCommand } from '../../nodes/command-env'
import type { ProcessTable } from '../../nodes/process-table'
import { runInClient } from '../client/client-terminal'
import { resolvePath } from '../files/paths'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tool'
import { endedCommand } from './ended-command'
import type { StartCommand } from './login/login-shell'
import {
  defaultTimeoutMs,
  loginArgv,
  maxOutputChars,
  requireDirectory,
  runShell,
  type ShellPlace,
  tailChars,
} from './shell'

const text = z.string().refine((value) => !value.includes('\0'), 'must not contain NUL characters')

const shape = inputShape(() =>
  z.object({
    command: text.refine((command) => command.trim() !== '', 'must not be empty'),
    workdir: text.optional().describe('Default: the workspace'),
    env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'is not a variable name'), text).optional(),
    timeout: z.number().min(0).optional().describe('Milliseconds, default 300000, 0 for none'),
    background: z.boolean().optional().describe('Return a sessionId at once'),
    yieldMs: z.number().optional().describe('Wait this long (10-120000), then continue in the background'),
  }),
)

type BashInput = ReturnType<typeof shape.parse>

/**
 * Shell commands: run to their end, in the background at once, or in the background after a while. `on` returns the
 * other machine that it runs on, if any; `start` is how the local shell starts.
 */
export function createBashTool(
  table: ProcessTable,
  node: string,
  on?: () => ShellPlace,
  start?: StartCommand,
): Tool<BashInput> {
  return {
    description:
      "Run a command in the user's login shell, in a terminal of its own that the user sees and can type into. Waits for the end unless `background` or `yieldMs` is given; then use Process with the sessionId. You are told when a background command ends: do not poll for it.",
    ...shape,
    readOnly: false,
    access: (input, { workspace, sandbox }) => ({
      action: 'exec',
      node,
      workspace,
      cwd: workdirOf(input, workspace),
      command: input.command,
      shell: 'login',
      // The sandbox and its trials only work on this machine.
      sandboxed: sandbox !== undefined && !on,
      cageable: !on,
      triable: !on && !input.background,
      env: input.env,
    }),
    gist: ({ command }) => firstLine(command),
    withCommand: (input, command) => shape.parse({ ...input, command }),
    async run(input, context) {
      const workdir = workdirOf(input, context.workspace)
      const there = on ? null : await inTerminalOfClient(input, workdir, context)
      if (there) return there
      const row = await runShell(
        table,
        {
          command: input.command,
          cwd: workdir,
          env: input.env ?? {},
          background: input.background ?? false,
          tty: true,
          on: on?.(),
          start,
          timeoutMs: input.timeout,
          ...(input.yieldMs !== undefined && { yieldMs: Math.min(120_000, Math.max(10, input.yieldMs)) }),
        },
        context,
      )
      return row.status === 'running' ? running(table, row) : ended(table, row, context)
    },
  }
}

/**
 * A command that is waited for runs in a terminal of the session's client, if it has any, so that the user sees it
 * there. Those are outside the sandbox, so what needs one stays here. `null` if it has to run here.
 */
async function inTerminalOfClient(input: BashInput, cwd: string, context: ToolContext): Promise<ToolResult | null> {
  const { client, sandbox, tried, knownShell, env } = context
  if (!client?.openTerminal || sandbox || tried || input.background || input.yieldMs !== undefined) return null
  requireDirectory(cwd)
  return runInClient(
    client,
    {
      command: input.command,
      cwd,
      ...inheritingCommand(process.env, loginArgv(input.command, knownShell, env), { ...input.env, ...env }),
      limitMs: input.timeout ?? defaultTimeoutMs,
      mostChars: maxOutputChars,
      tailChars,
    },
    context,
  )
}

async function running(table: ProcessTable, row: ProcessInfo): Promise<ToolResult> {
  const tail = await table.tail(row.id, tailChars)
  return {
    content: jsonContent({
      status: 'running',
      sessionId: row.id,
      pid: row.pid,
      startedAt: row.startedAt,
      tail,
      workdir: row.cwd,
    }),
    display: { type: 'process', processId: row.id, command: row.command, tail, bytes: row.bytes },
  }
}

async function ended(table: ProcessTable, row: ProcessInfo, context: ToolContext): Promise<ToolResult> {
  const silent = { text: '', truncated: false }
  const { text: output, truncated } =
    row.bytes === 0 ? silent : await table.output(row.id, { maxChars: maxOutputChars })
  context.signal.throwIfAborted()
  const tail = lastChars(output, tailChars)
  const display = {
    type: 'process',
    processId: row.id,
    command: row.command,
    exitCode: row.exitCode,
    tail,
    bytes: row.bytes,
  } as const
  if (row.status === 'lost') {
    throw new ToolFailure(
      'ExecutionFailed',
      'The terminal of this command was lost; whether it still runs is not known',
      {
        display,
      },
    )
  }
  const { exitCode, signal, timedOut, startedAt, endedAt } = row
  const content = endedCommand({
    ...{ sessionId: row.id, exitCode, signal, timedOut, startedAt, endedAt: endedAt ?? startedAt },
    ...{ output, tail, truncated, workdir: row.cwd },
    ...(truncated && { log: table.logPath(row.id) }),
  })
  return { content, display }
}

/** Does not split a character. */
function lastChars(text: string, count: number): string {
  const end = text.slice(-count)
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end
}

const workdirOf = (input: BashInput, workspace: string): string =>
  input.workdir === undefined ? workspace : resolvePath(input.workdir, workspace)

function firstLine(command: string): string {
  const [line = '', ...more] = command.trim().split('\n')
  return more.length > 0 || line.length > 200 ? `${line.slice(0, 200)} …` : line
}
