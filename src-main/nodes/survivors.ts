import { readFileSync } from 'node:fs'
import { groupOfProcess, isProcessAlive, parentOfProcess } from '../process-alive'
import { allPids, type RunningProcess, runningProcesses } from '../pty-host/process-list'
import { markOf, markOn, marksPrograms } from '../pty-host/process-mark'
import { PROCESS_MARKER } from './command-env'

/** Processes of the table, by id, each with its pid while it is known to run and `null` afterwards. */
export type Wanted = ReadonlyMap<string, number | null>

/**
 * What is alive of these ids and of all that they have started, by the mark that each carries. What an older version of
 * the app started, or one that could not set marks, is told by its environment alone; to read that as well takes twice as
 * long.
 */
export function markedProcesses(
  ids: ReadonlySet<string>,
  byEnvironment = !marksPrograms(),
): { id: string; pid: number }[] {
  return ids.size === 0 ? [] : aliveAmong(allPids(), ownerByMark(ids, byEnvironment))
}

let lastLook: { at: number; pids: ReadonlyMap<number, readonly number[]> } | null = null

/**
 * The same, for those who ask often: all of them share a look at the machine that is not older than `since`, a time as
 * `performance.now()` tells it. What has appeared after that look is not found.
 */
export function markedSince(ids: ReadonlySet<string>, since: number): { id: string; pid: number }[] {
  if (ids.size === 0) return []
  if (!marksPrograms()) return markedProcesses(ids)
  if (!lastLook || lastLook.at < since) lastLook = { at: performance.now(), pids: pidsByMark() }
  const { pids } = lastLook
  return aliveAmong(
    [...ids].flatMap((id) => pids.get(markOf(id)) ?? []),
    ownerByMark(ids, false),
  )
}

function pidsByMark(): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const pid of allPids()) {
    const mark = markOn(pid)
    if (mark !== null) found.set(mark, [...(found.get(mark) ?? []), pid])
  }
  return found
}

function aliveAmong(pids: readonly number[], ownerOf: (pid: number) => string | null): { id: string; pid: number }[] {
  return pids.flatMap((pid) => {
    const id = ownerOf(pid)
    // One that has ended carries its mark until it is collected.
    return id === null || !isProcessAlive(pid) ? [] : [{ id, pid }]
  })
}

/**
 * The same, and besides what can be told by kinship: the sessions of those that run, and the children of everything found.
 */
export function startedBy(wanted: Wanted): { id: string; process: RunningProcess }[] {
  if (wanted.size === 0) return []
  const running = runningProcesses()
  const byMark = ownerByMark(new Set(wanted.keys()), true)
  const bySession = new Map([...wanted].flatMap(([id, pid]) => (pid === null ? [] : [[pid, id] as const])))
  const own = groupOfProcess(process.pid)
  const owners = new Map<number, string | null>([[process.pid, null]])
  const ownerOf = (pid: number): string | null => {
    const known = owners.get(pid)
    if (known !== undefined) return known
    const found = running.get(pid)
    if (!found || pid <= 1) return null
    owners.set(pid, null)
    const owner = byMark(pid) ?? bySession.get(found.session) ?? ownerOf(found.parent)
    owners.set(pid, owner)
    return owner
  }
  return [...running.values()].flatMap((each) => {
    const id = each.group === own ? null : ownerOf(each.pid)
    return id === null ? [] : [{ id, process: each }]
  })
}

/** Tells by its mark which of these ids a process belongs to. */
function ownerByMark(ids: ReadonlySet<string>, byEnvironment: boolean): (pid: number) => string | null {
  const byMark = new Map([...ids].map((id) => [markOf(id), id]))
  const ownerOf = (pid: number | 'self'): string | null => {
    const mark = markOn(pid)
    const id = mark === null ? undefined : byMark.get(mark)
    if (id !== undefined) return id
    const marker = byEnvironment ? markerOf(pid) : null
    return marker !== null && ids.has(marker) ? marker : null
  }
  // Whoever starts the app from a terminal of the app hands the mark on to it and to its helpers.
  const inherited = ownerOf('self')
  return (pid) => {
    const id = pid === process.pid ? null : ownerOf(pid)
    return id !== null && id === inherited && isOurs(pid) ? null : id
  }
}

/** Whether it is below this process. */
function isOurs(pid: number): boolean {
  for (let each = pid; each > 1; each = parentOfProcess(each)) if (each === process.pid) return true
  return false
}

function markerOf(pid: number | 'self'): string | null {
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
