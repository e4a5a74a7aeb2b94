import { randomUUID } from 'node:crypto'
import type { CreateTerminalRequest, TerminalExitStatus, TerminalOutputResponse } from '@agentclientprotocol/sdk'
import type { Display } from '../../../src-preload/contract/tool-calls'
import { throughLoginShell } from '../../approval/known-shell'
import { commandText } from '../../hosts/command-line'
import type { ProcessTable } from '../../nodes/process-table'
import { shellArgv } from '../../nodes/windows-shell'
import { resolvePath } from '../../tools/files/paths'
import type { StartCommand } from '../../tools/shell/login/login-shell'
import { loginShellPath, maxOutputChars, rowOf, tailChars } from '../../tools/shell/shell'
import { startWithin } from '../../tools/shell/start-within'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../../tools/tool'
import { oneLine } from './tool-call'

/** The time between SIGTERM and SIGKILL. */
const graceMs = 250
/** The most output of a command that an agent may read at once. */
const mostOutputChars = 1_000_000

interface WantedTerminal {
  command: string
  cwd: string
  /** Variables that may change what the command does. */
  env: Record<string, string>
  /** Variables by which an agent marks its commands; they do not change what a command does. */
  marks: Record<string, string>
  /** How much of its output the agent wants to read. */
  mostChars: number
}

const markName =
  /^(?:AGENT(?:_SESSION)?(?:_ID)?|GOOSE_\w+|CLAUDECODE|CLAUDE_CODE_\w+|CODEX_\w+|OPENCODE\w*|QWEN_CODE\w*|GEMINI_CLI\w*|TERM|NO_COLOR|CI|COLUMNS|LINES)$/

/** The value must be a word and not a path, so that it cannot make a program load something. */
const isMark = (name: string, value: string): boolean => markName.test(name) && /^[\w.:-]{0,200}$/.test(value)

/** What an agent wants to run: a whole shell command, or a program with its arguments. */
export function wantedTerminal(request: CreateTerminalRequest, workspace: string): WantedTerminal {
  const { command, args = [], env = [], cwd } = request
  return {
    command: args.length === 0 ? command : commandText([command, ...args]),
    cwd: cwd ? resolvePath(cwd, workspace) : workspace,
    env: Object.fromEntries(env.flatMap(({ name, value }) => (isMark(name, value) ? [] : [[name, value]]))),
    marks: Object.fromEntries(env.flatMap(({ name, value }) => (isMark(name, value) ? [[name, value]] : []))),
    mostChars: Math.min(request.outputByteLimit ?? maxOutputChars, mostOutputChars),
  }
}

/** The terminals that an agent has asked for; their processes are in the process table like all others. */
export interface Terminals {
  /** Prepares a tool that runs the command in a new terminal when it is dispatched. */
  prepare(wanted: WantedTerminal): PreparedTerminal
  /** Starts it at once, as part of a call that was just allowed. */
  startWithin(wanted: WantedTerminal, context: ToolContext): Promise<string>
  output(id: string): Promise<TerminalOutputResponse>
  wait(id: string, signal: AbortSignal): Promise<TerminalExitStatus>
  kill(id: string): Promise<void>
  release(id: string): Promise<void>
  /** How a terminal is shown on a card; null if it is not one of the agent's. */
  display(id: string): Display | null
  /** At the end of a turn: what is still running continues in the background. */
  leave(): void
}

interface PreparedTerminal {
  tool: Tool
  /** Settles with the terminal's id once its command has started. */
  readonly started: Promise<string>
  /** Tells that the call is over. Rejects `started` if the command never started. */
  over(problem: Error): void
}

interface TerminalsOptions {
  table: ProcessTable
  start?: StartCommand
  most: number
}

interface Terminal {
  id: string
  /** Changes if a command that failed in the cage is run again outside. */
  processId: string
  mostChars: number
  /** Settles when the call that runs it is over; null if only the process counts. */
  over: Promise<void> | null
  /** The agent no longer needs it; cards still show it. */
  released: boolean
}

export function createTerminals({ table, start, most }: TerminalsOptions): Terminals {
  const known = new Map<string, Terminal>()
  const leaving = new Set<() => void>()

  const find = (id: string): Terminal => {
    const terminal = known.get(id)
    if (!terminal || terminal.released) throw new Error('There is no such terminal.')
    return terminal
  }

  const begin = (wanted: WantedTerminal, context: ToolContext): Promise<string> => {
    if ([...known.values()].filter(({ released }) => !released).length >= most)
      throw new ToolFailure('ExecutionFailed', `There are ${most} terminals already. Release some first.`)
    return startTerminal(table, start, wanted, context)
  }

  /** Waits until the command or the turn ends; the command may outlive the turn. */
  const untilOver = async (id: string, signal: AbortSignal): Promise<ToolResult> => {
    const { promise: left, resolve: leave } = Promise.withResolvers<'left'>()
    const letGo = (): void => leave('left')
    leaving.add(letGo)
    try {
      const state = await Promise.race([table.wait(id, undefined, signal), left])
      if (state === 'exited') return await endedResult(table, id)
      table.setBackground(id)
      return { content: [{ type: 'text', text: `It runs on as process ${id}.` }], display: shownAs(table, id) }
    } finally {
      leaving.delete(letGo)
    }
  }

  const prepare = (first: WantedTerminal): PreparedTerminal => {
    const { promise: started, resolve, reject } = Promise.withResolvers<string>()
    const over = Promise.withResolvers<void>()
    started.catch(() => {})
    const terminal: Terminal = {
      id: randomUUID(),
      processId: '',
      mostChars: first.mostChars,
      over: over.promise,
      released: false,
    }
    const tool = terminalTool(first, async (wanted, context) => {
      terminal.processId = await begin(wanted, context)
      known.set(terminal.id, terminal)
      resolve(terminal.id)
      return untilOver(terminal.processId, context.signal)
    })
    return {
      tool,
      started,
      over: (problem) => {
        over.resolve()
        reject(problem)
      },
    }
  }

  return {
    prepare,
    startWithin: async (wanted, context) => {
      const processId = await begin(wanted, context)
      const terminal = { id: randomUUID(), processId, mostChars: wanted.mostChars, over: null, released: false }
      known.set(terminal.id, terminal)
      return terminal.id
    },
    output: async (id) => {
      const { processId, mostChars } = find(id)
      const { text, truncated } = await table.output(processId, { maxChars: mostChars })
      const isOver = rowOf(table, processId).status !== 'running'
      return { output: text, truncated, ...(isOver && { exitStatus: exitOf(table, processId) }) }
    },
    wait: async (id, signal) => {
      const terminal = find(id)
      await table.wait(terminal.processId, undefined, signal)
      await terminal.over
      return exitOf(table, terminal.processId)
    },
    kill: async (id) => {
      await table.terminate(find(id).processId, graceMs)
    },
    release: async (id) => {
      const terminal = find(id)
      const { processId } = terminal
      terminal.released = true
      if (rowOf(table, processId).status === 'running') await table.terminate(processId, graceMs)
    },
    display: (id) => {
      const terminal = known.get(id)
      return terminal ? shownAs(table, terminal.processId) : null
    },
    leave: () => {
      for (const letGo of [...leaving]) letGo()
    },
  }
}

const shownAs = (table: ProcessTable, processId: string): Extract<Display, { type: 'process' }> => {
  const { command, status, exitCode, bytes } = rowOf(table, processId)
  return { type: 'process', processId, command, bytes, ...(status !== 'running' && { exitCode }) }
}

const endedResult = async (table: ProcessTable, id: string): Promise<ToolResult> => {
  const { text } = await table.output(id, { maxChars: maxOutputChars })
  return { content: [{ type: 'text', text }], display: { ...shownAs(table, id), tail: text.slice(-tailChars) } }
}

/** Runs the command in a shell, inside the call's sandbox if it has one. Returns the process id. */
async function startTerminal(
  table: ProcessTable,
  start: StartCommand | undefined,
  { command, cwd, env, marks }: WantedTerminal,
  context: ToolContext,
): Promise<string> {
  const { sandbox } = context
  const shell = loginShellPath(process.env.SHELL)
  const usual: StartCommand = (text, variables) => ({ argv: shellArgv(shell, text), env: variables })
  const launch = !sandbox || sandbox.asOutside ? (start ?? usual) : usual
  const launched = launch(context.knownShell ? throughLoginShell(command, context.env) : command, {
    ...marks,
    ...env,
    ...context.env,
  })
  const placed = sandbox ? await sandbox.place({ argv: launched.argv, cwd, tty: true }) : { argv: launched.argv }
  const { id } = await startWithin(
    table,
    {
      sessionId: context.sessionId,
      callId: context.callId,
      command,
      ...placed,
      cwd,
      env: { ...launched.env, ...placed.env },
      background: false,
      byUser: false,
    },
    { limitMs: undefined, signal: context.signal },
  )
  context.show({ type: 'process', processId: id, command })
  context.signal.addEventListener('abort', () => void table.terminate(id, graceMs), { once: true })
  return id
}

/** The tool for one terminal: dispatched with what the agent wants, or with the command as the user edited it. */
const terminalTool = (wanted: WantedTerminal, run: Tool<WantedTerminal>['run']): Tool<WantedTerminal> => ({
  description: '',
  schema: { type: 'object' },
  foreignSchema: true,
  parse: () => wanted,
  readOnly: false,
  access: ({ command, cwd, env }, { workspace, sandbox }) => ({
    action: 'exec',
    node: 'local',
    workspace,
    cwd,
    command,
    shell: 'login',
    cageable: true,
    sandboxed: sandbox !== undefined,
    ...(Object.keys(env).length > 0 && { env }),
  }),
  gist: ({ command }) => oneLine(command),
  withCommand: (input, command) => ({ ...input, command }),
  run,
})

const exitOf = (table: ProcessTable, id: string): TerminalExitStatus => {
  const { exitCode, signal } = rowOf(table, id)
  return { exitCode, signal }
}

/** Whether this is exactly the command that was allowed, in the same folder. */
export const isSame = (wanted: WantedTerminal, allowed: { command: string | null; cwd: string }): boolean =>
  allowed.command !== null &&
  Object.keys(wanted.env).length === 0 &&
  wanted.command.trim() === allowed.command.trim() &&
  wanted.cwd === allowed.cwd
