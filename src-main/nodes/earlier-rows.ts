import { statSync } from 'node:fs'
import type { ProcessInfo } from '../../src-preload/contract/protocol'
import { findSurvivors } from './survivors'

/** Rows of an earlier run: what ran then either survived, without its terminal, or is lost. */
export function settleEarlierRows(
  rows: ProcessInfo[],
  logPath: (id: string) => string,
  save: (row: ProcessInfo) => void,
): void {
  const open = rows.filter((row) => row.status === 'running' || row.status === 'survived')
  const survivors = findSurvivors(new Set(open.map((row) => row.id)))
  for (const row of open) {
    // Only its own machine can tell, once it is connected again.
    if (row.link) {
      Object.assign(row, { link: 'down', secretInput: false })
      continue
    }
    const pid = survivors.get(row.id)
    row.secretInput = false
    row.status = pid === undefined ? 'lost' : 'survived'
    if (pid !== undefined) row.pid = pid
    // The last output is the last sign of life.
    else row.endedAt = statSync(logPath(row.id), { throwIfNoEntry: false })?.mtimeMs ?? row.startedAt
    save(row)
  }
}
