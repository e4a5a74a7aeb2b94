import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { ProcessTable, StartRequest } from '../../nodes/process-table'
import { systemFailure } from '../system-error'
import { type ToolContext, ToolFailure } from '../tool'
import { outOfReach, rowOf, unreported } from './shell'
import { startWithin } from './start-within'

interface ProgramRequest {
  /** What the user reads; `argv` is what runs. */
  command: string
  argv: readonly [string, ...string[]]
  cwd: string
  /** By default there is no limit. */
  timeoutMs?: number
  node?: string
}

interface ProgramResult {
  /** -1 if the program was ended by a signal. */
  exitCode: number
  stdout: string
  stderr: string
  durationMs: number
  row: ProcessInfo
}

/** More than any result may hold, so that only `dispatch` cuts the text. */
const maxStreamChars = 1024 * 1024

/**
 * Runs a program with separate stdout and stderr until it ends. After the timeout the whole group is killed and the
 * call fails with `Timeout`; an abort of the call kills it too.
 */
export async function runProgram(
  table: ProcessTable,
  request: ProgramRequest,
  context: ToolContext,
): Promise<ProgramResult> {
  const { id } = await start(table, request, context)
  context.show({ type: 'process', processId: id, command: request.command })
  try {
    const { timeoutMs } = request
    if ((await table.wait(id, timeoutMs, context.signal)) === 'running') {
      if (rowOf(table, id).link === 'down') throw outOfReach(rowOf(table, id))
      table.markTimedOut(id)
      if ((await table.terminateNow(id)) === 'unreported') throw unreported(rowOf(table, id), timeoutMs ?? 0)
      throw new ToolFailure('Timeout', `timeout after ${(timeoutMs ?? 0) / 1000}s`)
    }
  } catch (error) {
    if (rowOf(table, id).link !== 'down') table.kill(id)
    throw error
  }
  const row = rowOf(table, id)
  if (row.status === 'lost')
    throw new ToolFailure('ExecutionFailed', 'the process was lost; whether it still runs is not known')
  const { stdout, stderr } = await table.streams(id, { maxChars: maxStreamChars, keep: 'head' })
  return {
    exitCode: row.exitCode ?? -1,
    stdout: stdout.text,
    stderr: stderr.text,
    durationMs: (row.endedAt ?? row.startedAt) - row.startedAt,
    row,
  }
}

/** A program that cannot be started is a failure that the model should read, whatever the system's error is. */
async function start(
  table: ProcessTable,
  request: ProgramRequest,
  { sessionId, callId, env, sandbox, signal }: ToolContext,
): Promise<ProcessInfo> {
  try {
    const { argv, cwd } = request
    const placed = sandbox ? await sandbox.place({ argv, cwd, tty: false }) : { argv }
    const started: StartRequest = {
      sessionId,
      callId,
      command: request.command,
      ...placed,
      cwd,
      tty: null,
      background: false,
      byUser: false,
      env: { ...env, ...placed.env },
      node: request.node,
    }
    return await startWithin(table, started, { limitMs: request.timeoutMs, signal })
  } catch (error) {
    if (signal.aborted || error instanceof ToolFailure) throw error
    const words = systemFailure(error)?.message ?? (error instanceof Error ? error.message : String(error))
    throw new ToolFailure('ExecutionFailed', `${request.argv[0]} could not be started: ${words}`)
  }
}
