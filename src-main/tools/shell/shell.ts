import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import { throughLoginShell } from '../../approval/known-shell'
import type { ProcessTable } from '../../nodes/process-table'
import { shellArgv, windowsShell } from '../../nodes/windows-shell'
import { failureOf } from '../system-error'
import { type ToolContext, ToolFailure } from '../tool'
import type { ShellStart, StartCommand } from './login/login-shell'
import { startWithin } from './start-within'

export const maxOutputChars = 200_000
export const tailChars = 4_000
export const defaultTimeoutMs = 300_000
/** The time between SIGTERM and SIGKILL. */
const graceMs = 250
const longestTimerMs = 2 ** 31 - 1

/** Another machine, by its node id, and the shell that runs commands there. */
export interface ShellPlace {
  node: string
  shell: string
}

interface ShellRequest {
  command: string
  cwd: string
  env: Readonly<Record<string, string>>
  /** 0 for none; by default a limit applies while the command is waited for. */
  timeoutMs?: number
  background: boolean
  /** How long to wait before the command continues in the background. */
  yieldMs?: number
  /** A terminal, or separate pipes. */
  tty: boolean
  /** By default this machine. */
  on?: ShellPlace
  /** How the local shell starts a command without reading its start-up files each time. */
  start?: StartCommand
}

/**
 * Runs a command in the user's login shell until it ends, or until it is in the background; then its row says
 * `running`. An abort of the call kills the whole group, unless the command was put into the background before.
 */
export async function runShell(table: ProcessTable, request: ShellRequest, context: ToolContext): Promise<ProcessInfo> {
  const { on } = request
  if (!on) requireDirectory(request.cwd)
  const { tried, sandbox } = context
  if (tried) {
    await tried.apply()
    return rowOf(table, tried.processId)
  }
  const given = { ...request.env, ...context.env }
  // In the sandbox the start-up files may differ from those outside; a cage shows the same.
  const asOutside = !on && (!sandbox || sandbox.asOutside)
  const start = (asOutside && request.start) || readingFiles(on?.shell ?? loginShellPath(process.env.SHELL))
  const text = context.knownShell && !on ? throughLoginShell(request.command, context.env) : request.command
  const { argv, env } = start(text, given)
  const placed = sandbox ? await sandbox.place({ argv, cwd: request.cwd, tty: request.tty }) : { argv }
  const limit = request.timeoutMs ?? defaultTimeoutMs
  const { id } = await startWithin(
    table,
    {
      sessionId: context.sessionId,
      callId: context.callId,
      command: request.command,
      ...placed,
      cwd: request.cwd,
      env: { ...env, ...placed.env },
      ...(!request.tty && { tty: null }),
      background: request.background,
      byUser: false,
      node: on?.node,
    },
    { limitMs: limit > 0 ? limit : undefined, signal: context.signal },
  ).catch((error: unknown) => {
    if (context.signal.aborted) throw error
    const words = error instanceof Error ? error.message : String(error)
    throw failureOf(error) ?? new ToolFailure('ExecutionFailed', `The command could not be started: ${words}`)
  })
  context.show({ type: 'process', processId: id, command: request.command })

  let overdue: (state: 'unreported') => void = () => {}
  const unreportedEnd = new Promise<'unreported'>((resolve) => {
    overdue = resolve
  })
  const timer =
    limit > 0 && (!request.background || request.timeoutMs !== undefined)
      ? endAfter(table, id, limit, () => overdue('unreported'))
      : undefined
  if (!request.background) {
    try {
      const state = await Promise.race([table.wait(id, request.yieldMs, context.signal), unreportedEnd])
      if (state === 'exited' || isAway(table, id)) clearTimeout(timer)
      if (state !== 'exited') {
        // A server that was started without a limit should not be ended by the default one.
        if (request.timeoutMs === undefined) clearTimeout(timer)
        table.setBackground(id)
      }
      if (state === 'unreported') throw unreported(rowOf(table, id), limit)
    } catch (error) {
      clearTimeout(timer)
      endWithinReach(table, id)
      throw error
    }
    if (isAway(table, id)) throw outOfReach(rowOf(table, id))
  }
  return rowOf(table, id)
}

const isAway = (table: ProcessTable, id: string): boolean => {
  const { status, link } = rowOf(table, id)
  return status === 'running' && link === 'down'
}

/**
 * The connection was lost during the command. It is found again when its machine is back, and its end is reported then.
 */
export function outOfReach({ id, node, command, bytes }: ProcessInfo): ToolFailure {
  const words = `The connection to ${node} was lost. The command may still be running there, as process ${id}; its end is told when ${node} is back. Check that before you run it again.`
  return new ToolFailure('ExecutionFailed', words, { display: { type: 'process', processId: id, command, bytes } })
}

/** A process that is out of reach is left as it is; its row says so. */
function endWithinReach(table: ProcessTable, id: string): void {
  if (!isAway(table, id)) void table.terminate(id, graceMs)
}

/** The call ends, even if the command cannot be ended. */
export function unreported({ id, command, bytes }: ProcessInfo, limitMs: number): ToolFailure {
  const words = `The command was ended after ${limitMs / 1000} s, but its end was not reported: it may still be running, as process ${id}. Check that before you run it again.`
  return new ToolFailure('Timeout', words, { display: { type: 'process', processId: id, command, bytes } })
}

/** The command in the user's login shell, which reads its start-up files. */
export const loginArgv = (
  command: string,
  knownShell = false,
  env: Readonly<Record<string, string>> = {},
): ShellStart['argv'] =>
  shellArgv(loginShellPath(process.env.SHELL), knownShell ? throughLoginShell(command, env) : command)

const readingFiles =
  (shell: string): StartCommand =>
  (command, env) => ({ argv: shellArgv(shell, command), env })

function endAfter(table: ProcessTable, id: string, ms: number, unreported: () => void): NodeJS.Timeout {
  const timer = setTimeout(
    () => {
      if (table.get(id)?.status !== 'running') return
      table.markTimedOut(id)
      table.terminate(id, graceMs).then(
        (state) => state === 'unreported' && unreported(),
        unreported, // It could not even be signalled.
      )
    },
    Math.min(ms, longestTimerMs),
  )
  return timer.unref()
}

export function rowOf(table: ProcessTable, id: string): ProcessInfo {
  const row = table.get(id)
  if (!row) throw new Error(`The process table has lost ${id}`)
  return row
}

/** Synchronous, since a stat is cheaper than a trip to another thread, and every command waits for it. */
export function requireDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new ToolFailure('FileNotFound', `The working directory does not exist: ${path}`)
  if (!found.isDirectory()) throw new ToolFailure('InvalidPath', `The working directory is not a directory: ${path}`)
}

/** Shells that do not accept `-lc` or have another syntax than the gate parses, and programs that mean "no shell". */
const unusableShells = new Set(['fish', 'nologin', 'false', 'true', 'csh', 'tcsh', 'nu', 'pwsh', 'elvish', 'xonsh'])

export function loginShellPath(shell: string | undefined): string {
  if (process.platform === 'win32') return windowsShell(process.env, existsSync)
  if (!shell || !isAbsolute(shell) || unusableShells.has(basename(shell))) return '/bin/sh'
  try {
    accessSync(shell, constants.X_OK)
    return shell
  } catch {
    // Removed or not executable: the fallback always exists.
    return '/bin/sh'
  }
}
