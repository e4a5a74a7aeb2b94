import { z } from 'zod'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import { inKnownShell } from '../../approval/known-shell'
import { connectionLost } from '../../nodes/node-error'
import type { ProcessTable } from '../../nodes/process-table'
import { wasCut } from '../../nodes/shell/remote-shell'
import { isHere, type ShellNode } from '../../nodes/shell/shell-node'
import { staged } from '../../nodes/shell/staged-text'
import { clipHead } from '../../tools/characters'
import { inputShape } from '../../tools/input'
import { runProgram } from '../../tools/shell/run-program'
import { durationMs } from '../../tools/terminals/duration'
import { paneOf } from '../../tools/terminals/panes'
import { isRunning } from '../../tools/terminals/process-control'
import { textContent } from '../../tools/text-content'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../../tools/tool'

const streamCharacters = 4000
/** The longest possible timer. */
const longestMs = 2 ** 31 - 1

const shape = inputShape(
  () =>
    z.object({
      command: z
        .string()
        .refine((command) => command.trim() !== '', 'must not be empty')
        .refine((command) => !command.includes('\0'), 'must not contain NUL characters'),
      wait: z
        .union([z.boolean(), z.string(), z.number().min(0)])
        .optional()
        .describe('true (default): until it exits; "30s", "10m", "1h" or seconds: at most so long; false: do not wait'),
    }),
  (input) => waitOf(input),
)

type ShellInput = ReturnType<typeof shape.parse>

interface RunShellDeps {
  table: ProcessTable
  machine(): ShellNode
  /** Whether a user has the deck in view. */
  watched: boolean
  /** Whether every command must be confirmed, whatever the mode. */
  confirm(): boolean
  /** Texts that no command may contain. */
  denied(): readonly string[]
}

/** One command in a shell, on the machine that the vocabulary works on. */
export function createRunShell(deps: RunShellDeps): Tool<ShellInput> {
  const { table, machine, confirm, denied } = deps
  return {
    description: 'Run a shell command and return its exit code, stdout and stderr.',
    ...shape,
    readOnly: false,
    access({ command, wait }, { workspace, sandbox }) {
      const found = denied().find((text) => text !== '' && command.includes(text))
      if (found !== undefined)
        throw new ToolFailure('PermissionDenied', `the settings refuse commands with ${JSON.stringify(found)}`)
      const place = machine()
      return {
        action: 'exec',
        node: place.id,
        workspace,
        cwd: workspace,
        command,
        shell: 'sh',
        // The pane's shell and environment are unknown.
        ...((wait === false || runsInPane(place)) && { typed: true, typedInto: 'shell' }),
        ...(place.kind === 'local' && wait !== false && { cageable: true, ...(sandbox && { sandboxed: true }) }),
        ...(confirm() && { flagged: 'The settings want every command confirmed' }),
      }
    },
    gist: ({ command }) => command.trim().split('\n')[0]?.slice(0, 200) ?? '',
    withCommand: (input, command) => shape.parse({ ...input, command }),
    run(input, context) {
      const place = machine()
      const wait = waitOf(input)
      if (wait === 'never') return dispatch(deps, place, input.command, context)
      return runsInPane(place)
        ? inPane(deps, place, input.command, wait, context)
        : asProcess(table, place, input.command, wait, context)
    },
  }
}

/** This machine's own pane is the user's: only commands that are not waited for run there. */
const runsInPane = ({ kind, hasPane }: ShellNode): boolean => kind !== 'local' && hasPane

/** Milliseconds; `undefined` for no limit. */
function waitOf({ wait = true }: ShellInput): number | undefined | 'never' {
  if (typeof wait === 'boolean') return wait ? undefined : 'never'
  const ms = durationMs(String(wait))
  if (ms === null)
    throw new ToolFailure('InvalidArgs', '`wait` is true, false, a number of seconds, or a duration such as "30s"')
  return Math.min(ms, longestMs)
}

async function dispatch(
  { table, watched }: RunShellDeps,
  place: ShellNode,
  command: string,
  context: ToolContext,
): Promise<ToolResult> {
  const pane = place.paneFor(context.workspace)
  if (!pane) throw new ToolFailure('ExecutionFailed', '`wait: false` requires a tmux-backed target')
  const view = watched && runsInPane(place) ? await viewPane(table, place, context) : null
  const id = await pane.dispatch(command)
  return {
    content: textContent(`command dispatched to tmux pane ${id}`),
    ...(view && { display: { type: 'process', processId: view.id, command } }),
  }
}

async function inPane(
  { table, watched }: RunShellDeps,
  place: ShellNode,
  command: string,
  timeoutMs: number | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const { signal, workspace, show } = context
  const view = watched ? await viewPane(table, place, context) : null
  if (view) show({ type: 'process', processId: view.id, command })
  // On this machine the other tools work in the workspace, whatever folder the pane's shell is in.
  const options = { signal, ...(isHere(place) && { cwd: workspace }), timeoutMs }
  const outcome = await paneOf(place, workspace).run(command, options)
  const [stdout, stderr] = [outcome.stdout.toString(), outcome.stderr.toString()]
  const tail = (stdout + stderr).slice(-streamCharacters)
  const { exitCode } = outcome
  return {
    content: textContent(told(exitCode, stdout, stderr)),
    display: view ? { type: 'process', processId: view.id, command, exitCode, tail } : { type: 'text', text: tail },
  }
}

async function asProcess(
  table: ProcessTable,
  place: ShellNode,
  command: string,
  timeoutMs: number | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  // Reopens a lost connection while the user can still be asked.
  await place.shell.ready()
  const sent = isHere(place) ? command : await staged(place.shell, command)
  const argv = context.knownShell && isHere(place) ? inKnownShell(command) : place.argv(sent)
  const request = { command, argv, cwd: context.workspace }
  const limited = { ...request, timeoutMs }
  const { exitCode, stdout, stderr, row } = await runProgram(table, limited, context)
  if (await wasCut(place.shell, exitCode)) throw connectionLost(place.label)
  return {
    content: textContent(told(exitCode, stdout, stderr)),
    display: {
      type: 'process',
      processId: row.id,
      command,
      exitCode: row.exitCode,
      tail: (stdout + stderr).slice(-streamCharacters),
      bytes: row.bytes,
    },
  }
}

const told = (exitCode: number, stdout: string, stderr: string): string =>
  [`exit code: ${exitCode}`, 'stdout:', streamOf(stdout), 'stderr:', streamOf(stderr)].join('\n')

/** The newline at the end of the output is not an additional empty line. */
const streamOf = (text: string): string => clipHead(text.replace(/\n$/, ''), streamCharacters)

/**
 * Shows the pane that agent and user share as a terminal of the deck: opened once for a session, and owned by the user,
 * so that they watch and type as if attached to it. `null` if it cannot be shown; the pane can be used all the same.
 */
async function viewPane(
  table: ProcessTable,
  place: ShellNode,
  { sessionId, workspace }: ToolContext,
): Promise<ProcessInfo | null> {
  const pane = paneOf(place, workspace)
  const command = `tmux attach -t ${pane.session}`
  const title = `${place.label}: shared terminal`
  const open = table.list(sessionId).find((row) => row.command === command && row.title === title && isRunning(row))
  if (open) return open
  try {
    const argv = await pane.attach()
    return await table.start({
      ...{ sessionId, callId: null, command, title, argv, cwd: workspace, farTerminal: pane.terminal() },
      background: false,
      byUser: true,
    })
  } catch {
    // What prevents showing it will also make the command fail, and that is reported.
    return null
  }
}
