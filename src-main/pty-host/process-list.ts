import { readdirSync } from 'node:fs'
import { statOf } from '../process-alive'

export interface RunningProcess {
  pid: number
  parent: number
  group: number
  session: number
  /** Its start time since boot: together with the pid it identifies a process uniquely. */
  start: string
}

let looks = 0
/** How often all processes of the machine were listed. For tests: ending many at once must not multiply this. */
export const looksTaken = (): number => looks

/** The pids of all running processes; empty if the system cannot tell. */
export function allPids(): number[] {
  if (process.platform !== 'linux') return []
  looks++
  return readdirSync('/proc').flatMap((name) => (name < '0' || name > ':' ? [] : [Number(name)]))
}

/** One look at everything that runs. */
export const runningProcesses = (): RunningProcess[] => allPids().flatMap((pid) => runningProcess(pid) ?? [])

/** Null for a process that has ended, even if it was not yet reaped. */
export function runningProcess(pid: number): RunningProcess | null {
  const [state, parent, group, session, ...rest] = statOf(pid) ?? []
  if (state === undefined || state === 'Z' || state === 'X') return null
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), start: rest[15] ?? '' }
}
