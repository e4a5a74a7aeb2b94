import { readdirSync, readFileSync } from 'node:fs'
import { PROCESS_MARKER } from './command-env'

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

/**
 * Programs of an earlier run that are still alive: process id to pid. Of several with the same marker the oldest counts,
 * which is the one that was started here.
 */
export function findSurvivors(ids: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>()
  for (const { id, pid } of markedProcesses(ids)) {
    const other = found.get(id)
    if (other === undefined || pid < other) found.set(id, pid)
  }
  return found
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
