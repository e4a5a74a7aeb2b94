import { statSync } from 'node:fs'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { markedProcesses } from './survivors'

/** Settles rows of an earlier run: a process that ran then either survived, without its terminal, or is lost. */
export function settleEarlierRows(
  rows: ProcessInfo[],
  logPath: (id: string) => string,
  save: (row: ProcessInfo) => void,
): void {
  const open = rows.filter((row) => row.status === 'running' || row.status === 'survived')
  const alive = markedProcesses(new Set(open.map((row) => row.id)), true)
  for (const row of open) {
    // Only its own machine knows, once it is connected again.
    if (row.link) {
      Object.assign(row, { link: 'down', secretInput: false })
      continue
    }
    const pids = alive.filter(({ id }) => id === row.id).map(({ pid }) => pid)
    row.secretInput = false
    delete row.watches
    row.status = pids[0] === undefined ? 'lost' : 'survived'
    if (pids[0] !== undefined) row.pid = pids.includes(row.pid) ? row.pid : pids[0]
    // The time of the last output is the best estimate.
    else row.endedAt = statSync(logPath(row.id), { throwIfNoEntry: false })?.mtimeMs ?? row.startedAt
    save(row)
  }
}
