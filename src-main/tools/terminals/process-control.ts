import { constants } from 'node:os'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import { ProcessRefusal } from '../../nodes/process-refusal'
import type { ProcessTable } from '../../nodes/process-table'
import { ToolFailure } from '../tool'

/** How long a background process can be asked about after its end. */
const retentionMs = 30 * 60 * 1000

/** A session's background processes, as its agent sees them: only those it started itself, newest first. */
export function backgroundOf(table: ProcessTable, sessionId: string, now: number): ProcessInfo[] {
  return table.list(sessionId).filter((row) => row.background && !row.byUser && isRetained(row, now))
}

const isRetained = (row: ProcessInfo, now: number): boolean => row.endedAt === null || now - row.endedAt < retentionMs

/** One of them by its id; throws `ToolFailure`. */
export function backgroundProcess(table: ProcessTable, sessionId: string, id: string, now: number): ProcessInfo {
  const row = table.get(id)
  if (!row || row.sessionId !== sessionId || row.byUser || (row.background && !isRetained(row, now))) {
    throw new ToolFailure('NotFound', `There is no session ${JSON.stringify(id)}`)
  }
  if (!row.background) throw new ToolFailure('NotFound', `Session ${id} is not in the background`)
  return row
}

export const isRunning = (row: ProcessInfo): boolean => row.status === 'running' || row.status === 'survived'

export function statusOf(row: ProcessInfo): 'running' | 'completed' | 'failed' | 'timed_out' {
  if (isRunning(row)) return 'running'
  if (row.timedOut) return 'timed_out'
  return row.exitCode === 0 ? 'completed' : 'failed'
}

/** Types into a process; a refusal of the table becomes a failure that the model reads. */
export async function typeInto(table: ProcessTable, row: ProcessInfo, data: string): Promise<void> {
  if (!isRunning(row)) throw new ToolFailure('ExecutionFailed', `Session ${row.id} has already exited`)
  await refusable(table.write(row.id, data))
}

/** The visible screen, without blanks at the end of lines and empty lines at the end. */
export async function screenOf(
  table: ProcessTable,
  row: ProcessInfo,
): Promise<{ text: string; cursor: { x: number; y: number } }> {
  const { rows, cursor } = await refusable(table.screen(row.id))
  return {
    text: rows
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd(),
    cursor,
  }
}

async function refusable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProcessRefusal)) throw error
    if (error.kind === 'secret-input') throw new ToolFailure('PermissionDenied', error.message)
    if (error.kind === 'unknown') throw new ToolFailure('NotFound', error.message)
    throw new ToolFailure('ExecutionFailed', error.message)
  }
}

const signalNames = new Map(Object.keys(constants.signals).map((name) => [name, name as NodeJS.Signals]))

/** `SIGINT`, `INT` and `int` are the same; throws `ToolFailure`. */
export function signalNamed(name: string): NodeJS.Signals {
  const upper = name.toUpperCase()
  const found = signalNames.get(upper.startsWith('SIG') ? upper : `SIG${upper}`)
  if (!found) throw new ToolFailure('InvalidArgs', `\`signal\`: there is no signal ${JSON.stringify(name)}`)
  return found
}
