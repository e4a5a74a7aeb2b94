import { readFileSync } from 'node:fs'
import { groupOfProcess, isProcessAlive, nameOfProcess, parentOfProcess } from '../process-alive'
import { groupMembers } from '../pty-host/control-group'
import { FORK_SERVER_NAME } from '../pty-host/fork-server-script'
import { marksPrograms } from '../pty-host/held-program'
import { allPids, type RunningProcess, runningProcess } from '../pty-host/process-list'
import { markOf, markOn } from '../pty-host/process-mark'
import { PROCESS_MARKER } from './command-env'

/** Processes of the table by id, with the pid while they are known to run and `null` afterwards. */
export type Wanted = ReadonlyMap<string, number | null>

/**
 * What is alive of these ids and their descendants, by the mark that each carries. Processes started by an older
 * version of the app, or without marks, are recognised by their environment alone; reading that as well takes twice as
 * long.
 */
export function markedProcesses(
  ids: ReadonlySet<string>,
  byEnvironment = !marksPrograms(),
): { id: string; pid: number }[] {
  if (ids.size === 0) return []
  const members = groupMembers(ids)
  const byMark = ownerByMark(ids, byEnvironment)
  return aliveAmong(allPids(), (pid) => byMark(pid) ?? members.get(pid) ?? null)
}

let lastLook: { at: number; pids: ReadonlyMap<number, readonly number[]> } | null = null

/**
 * The same, for frequent callers: they share one look at the machine that is not older than `since`, a time by
 * `performance.now()`. Processes that appeared after that look are not found.
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
    // A process that has ended keeps its mark until it is reaped.
    return id === null || !isProcessAlive(pid) ? [] : [{ id, pid }]
  })
}

/** A process that one of the wanted has started. */
export interface Started {
  id: string
  process: RunningProcess
}

export interface LookOptions {
  byEnvironment?: boolean
  /** Also those that only their parent identifies: one of our fork servers, which orphans are passed to. */
  orphans?: boolean
}

/**
 * Returns a function that looks for what these have started: by mark, control group, session and parents. Processes
 * found not to belong to them are not looked at again.
 */
export function lookForStarted(
  wanted: Wanted,
  { byEnvironment = !marksPrograms(), orphans = false }: LookOptions = {},
): () => Started[] {
  const byMark = ownerByMark(new Set(wanted.keys()), byEnvironment)
  const leaders = new Map([...wanted].flatMap(([id, pid]) => (pid === null ? [] : [[pid, id] as const])))
  const own = groupOfProcess(process.pid)
  const strangers = new Set([0, 1, process.pid])
  const [first] = wanted.keys()

  return () => {
    if (wanted.size === 0) return []
    const owners = new Map<number, Started | null>()
    const members = groupMembers(wanted.keys())
    const ownerOf = (pid: number): Started | null => {
      if (strangers.has(pid)) return null
      const known = owners.get(pid)
      if (known !== undefined) return known
      // Guards against a loop: parents are read one by one, so pids reused meanwhile may look like a cycle.
      owners.set(pid, null)
      const found = runningProcess(pid)
      if (!found || found.group === own) return null
      const id =
        byMark(pid) ??
        members.get(pid) ??
        leaders.get(pid) ??
        leaders.get(found.session) ??
        ownerOf(found.parent)?.id ??
        (orphans && isOurForkServer(found.parent) && !isOurForkServer(pid) ? first : undefined)
      const started = id === undefined ? null : { id, process: found }
      owners.set(pid, started)
      return started
    }
    const pids = allPids()
    const started = pids.flatMap((pid) => ownerOf(pid) ?? [])
    for (const [pid, owner] of owners) if (owner === null) strangers.add(pid)
    return started
  }
}

/** Finds the id that a process belongs to by its mark. */
function ownerByMark(ids: ReadonlySet<string>, byEnvironment: boolean): (pid: number) => string | null {
  const byMark = new Map([...ids].map((id) => [markOf(id), id]))
  const ownerOf = (pid: number | 'self'): string | null => {
    const mark = markOn(pid)
    const id = mark === null ? undefined : byMark.get(mark)
    if (id !== undefined) return id
    const marker = byEnvironment ? markerOf(pid) : null
    return marker !== null && ids.has(marker) ? marker : null
  }
  // An app started from a terminal of the app inherits the mark, and so do its helpers.
  const inherited = ownerOf('self')
  return (pid) => {
    const id = pid === process.pid ? null : ownerOf(pid)
    return id !== null && id === inherited && isOurs(pid) ? null : id
  }
}

/** Whether it is a descendant of this process. */
function isOurs(pid: number): boolean {
  for (let each = pid; each > 1; each = parentOfProcess(each)) if (each === process.pid) return true
  return false
}

const isOurForkServer = (pid: number): boolean => nameOfProcess(pid) === FORK_SERVER_NAME && isOurs(pid)

function markerOf(pid: number | 'self'): string | null {
  let env: string
  try {
    env = readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return null // It has ended, or belongs to another user.
  }
  const start = env.startsWith(`${PROCESS_MARKER}=`) ? 0 : env.indexOf(`\0${PROCESS_MARKER}=`) + 1
  if (start === 0 && !env.startsWith(`${PROCESS_MARKER}=`)) return null
  const end = env.indexOf('\0', start)
  return env.slice(start + PROCESS_MARKER.length + 1, end === -1 ? undefined : end)
}
