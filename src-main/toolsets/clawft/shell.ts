import { z } from 'zod'
import { inKnownShell } from '../../approval/known-shell'
import type { ProcessTable } from '../../nodes/process-table'
import { inputShape } from '../../tools/input'
import { jsonContent } from '../../tools/json-result'
import { runProgram } from '../../tools/shell/run-program'
import { type Tool, ToolFailure } from '../../tools/tool'

/**
 * As documented: anywhere in the text, in any case. The gate, which parses the command like a shell, checks in
 * addition.
 */
const deniedPatterns = [
  'rm -rf /',
  'sudo ',
  'mkfs',
  'dd if=',
  ':(){ :|:& };:',
  'chmod 777 /',
  '> /dev/sd',
  'shutdown',
  'reboot',
  'poweroff',
  'format c:',
]

const mostSeconds = 300
const mostSpawns = 5

const text = z.string().refine((value) => !value.includes('\0'), 'must not contain NUL characters')
const required = text.refine((value) => value.trim() !== '', 'must not be empty')

const shellShape = inputShape(() =>
  z.object({
    command: required,
    timeout: z.number().positive().optional().describe('Seconds, default 30, at most 300'),
  }),
)

/** Throws `PermissionDenied` for what is on the list. */
function refuseDenied(command: string): void {
  const lower = command.toLowerCase()
  const found = deniedPatterns.find((pattern) => lower.includes(pattern))
  if (found !== undefined)
    throw new ToolFailure('PermissionDenied', `the command matches the blocked pattern '${found}'`)
}

export function createExecShellTool(table: ProcessTable, node: string): Tool<ReturnType<typeof shellShape.parse>> {
  return {
    description: 'Run a command with `sh -c` in the workspace and wait for it; stdout and stderr come back apart.',
    ...shellShape,
    readOnly: false,
    access: ({ command }, { workspace, sandbox }) => {
      refuseDenied(command)
      return {
        action: 'exec',
        node,
        workspace,
        cwd: workspace,
        command,
        shell: 'sh',
        cageable: true,
        sandboxed: sandbox !== undefined,
      }
    },
    gist: ({ command }) => command.trim().split('\n')[0]?.slice(0, 200) ?? '',
    withCommand: (input, command) => shellShape.parse({ ...input, command }),
    async run({ command, timeout = 30 }, context) {
      refuseDenied(command)
      const { exitCode, stdout, stderr, durationMs, row } = await runProgram(
        table,
        {
          command,
          argv: context.knownShell ? inKnownShell(command) : ['sh', '-c', command],
          cwd: context.workspace,
          timeoutMs: Math.min(timeout, mostSeconds) * 1000,
          node,
        },
        context,
      )
      return {
        content: jsonContent({ exit_code: exitCode, stdout, stderr, duration_ms: durationMs }),
        display: {
          type: 'process',
          processId: row.id,
          command,
          exitCode: row.exitCode,
          tail: (stdout + stderr).slice(-4000),
          bytes: row.bytes,
        },
      }
    },
  }
}

const spawnShape = inputShape(() =>
  z.object({
    command: required,
    args: z.array(text).optional(),
    description: z.string().optional(),
    timeout: z.number().positive().max(86_400).optional().describe('Seconds, default 60'),
  }),
)

/** For the whole process and all toolsets: checking and incrementing happen in one step, so there is never a sixth. */
let running = 0

export function createSpawnTool(table: ProcessTable, node: string): Tool<ReturnType<typeof spawnShape.parse>> {
  return {
    description: 'Run a program with arguments in the workspace, without a shell, and wait for it. At most 5 at once.',
    ...spawnShape,
    readOnly: false,
    access: ({ command, args = [] }, { workspace, sandbox }) => ({
      action: 'exec',
      node,
      workspace,
      cwd: workspace,
      argv: [command, ...args],
      cageable: true,
      sandboxed: sandbox !== undefined,
    }),
    gist: ({ command, args = [], description }) => description ?? [command, ...args].join(' ').slice(0, 200),
    async run({ command, args = [], description, timeout = 60 }, context) {
      if (running >= mostSpawns) {
        throw new ToolFailure('ExecutionFailed', `the concurrency limit of ${mostSpawns} spawned processes is reached`)
      }
      running++
      try {
        const shown = [command, ...args].join(' ')
        const { exitCode, stdout, stderr, row } = await runProgram(
          table,
          { command: shown, argv: [command, ...args], cwd: context.workspace, timeoutMs: timeout * 1000, node },
          context,
        )
        return {
          content: jsonContent({
            exit_code: exitCode,
            stdout,
            stderr,
            command,
            description: description ?? '(no description)',
          }),
          display: {
            type: 'process',
            processId: row.id,
            command: shown,
            exitCode: row.exitCode,
            tail: (stdout + stderr).slice(-4000),
            bytes: row.bytes,
          },
        }
      } finally {
        running--
      }
    },
  }
}
