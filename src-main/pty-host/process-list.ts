import { readdirSync } from 'node:fs'
import { statOf } from '../process-alive'

export interface RunningProcess {
  pid: number
  parent: number
  group: number
  session: number
  /** The time since boot at which it began: no other process has had this pid and this start. */
  start: string
}

let looks = 0
/** How often all processes of the machine were looked at. For tests: that is what ending many at once must not multiply. */
export const looksTaken = (): number => looks

/** The pids of everything that runs; none where the system does not tell. */
export function allPids(): number[] {
  if (process.platform !== 'linux') return []
  looks++
  return readdirSync('/proc').flatMap((name) => (name < '0' || name > ':' ? [] : [Number(name)]))
}

/** One look at everything that runs. */
export const runningProcesses = (): RunningProcess[] => allPids().flatMap((pid) => runningProcess(pid) ?? [])

/** Null for one that has ended, also when it was not yet collected. */
export function runningProcess(pid: number): RunningProcess | null {
  const [state, parent, group, session, ...rest] = statOf(pid) ?? []
  if (state === undefined || state === 'Z' || state === 'X') return null
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), start: rest[15] ?? '' }
}
