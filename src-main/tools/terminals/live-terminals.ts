import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { ProcessTable } from '../../nodes/process-table'
import { ToolFailure } from '../tool'
import { isRunning, screenOf } from './process-control'

/** The usual number of lines of a screen, for a terminal that no longer has one. */
const usualRows = 30

/** The running terminals of a session: its agent's and its user's. */
export const liveTerminals = (table: ProcessTable, sessionId: string): ProcessInfo[] =>
  table.list(sessionId).filter((row) => row.tty && isRunning(row))

/** Started by the agent itself; in any other terminal somebody may have typed a secret. */
export const isOwn = (row: ProcessInfo, sessionId: string): boolean => row.sessionId === sessionId && !row.byUser

/** The terminal with this id, of any session; `null` if there is none, since it may be the name of a tmux pane. */
export function findTerminal(table: ProcessTable, target: string): ProcessInfo | null {
  const row = table.get(target)
  if (row && !row.tty) throw new ToolFailure('ExecutionFailed', `${target} runs without a terminal`)
  return row ?? null
}

/** The content of the screen, with `history` lines of scrollback before it. */
export async function captureTerminal(table: ProcessTable, row: ProcessInfo, history: number): Promise<string> {
  if (row.status === 'running' && history === 0) return (await screenOf(table, row)).text
  const { totalLines } = await table.lines(row.id, 0, 1)
  const from = Math.max(0, totalLines - usualRows - history)
  return (await table.lines(row.id, from, totalLines - from)).lines.join('\n').trimEnd()
}
