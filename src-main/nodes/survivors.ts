import { readdirSync, readFileSync } from 'node:fs'
import { PROCESS_MARKER } from './command-env'
import { groupOfProcess } from './process-alive'

/**
 * Programs that are alive and carry one of these markers in their environment: what the process table started, and what
 * that has started in turn. Linux only; elsewhere none is found.
 */
export function markedProcesses(ids: ReadonlySet<string>): { id: string; pid: number }[] {
  if (ids.size === 0 || process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((name) => {
    if (name < '0' || name > ':') return []
    const pid = Number(name)
    const id = markerOf(pid)
    return id && ids.has(id) && pid !== process.pid ? [{ id, pid }] : []
  })
}

/** What is alive of one marker, by pid. */
export const processesMarked = (id: string): number[] => markedProcesses(new Set([id])).map(({ pid }) => pid)

/**
 * Sends a signal to the groups of all that carries the marker. The first process alone would not do: a shell between it
 * and its program may heed the signal that the program ignores.
 */
export function signalMarked(id: string, name: NodeJS.Signals): void {
  // Whoever starts the app out of a terminal of the app hands the marker on to it.
  const own = groupOfProcess(process.pid)
  for (const group of new Set(processesMarked(id).map(groupOfProcess))) {
    if (group > 1 && group !== own) signalGroup(group, name)
  }
}

function signalGroup(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function markerOf(pid: number): string | null {
  let env: string
  try {
    env = readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return null // It ended meanwhile, or belongs to somebody else.
  }
  const start = env.startsWith(`${PROCESS_MARKER}=`) ? 0 : env.indexOf(`\0${PROCESS_MARKER}=`) + 1
  if (start === 0 && !env.startsWith(`${PROCESS_MARKER}=`)) return null
  const end = env.indexOf('\0', start)
  return env.slice(start + PROCESS_MARKER.length + 1, end === -1 ? undefined : end)
}
