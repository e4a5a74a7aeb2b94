import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isProcessAlive } from '../process-alive'

/** Limits that all sandboxed commands share. */
export interface Bounds {
  processes: number
  memoryBytes: number
}

/**
 * The kernel control group of everything that runs inside; two groups where processes and memory are counted
 * separately.
 */
export interface Groups {
  /** A process joins by writing its pid into each of these files; empty if this user may not create groups. */
  doors: readonly string[]
  close(): void
}

const prefix = 'deckhand-sandbox-'
const mountPoint = '/sys/fs/cgroup'

/** Creates the groups, and removes those left by an earlier run. */
export function openGroups(bounds: Bounds): Groups {
  const made = placesFor(bounds).flatMap(({ parent, files }) => {
    const folder = makeGroup(parent, files)
    return folder === null ? [] : [folder]
  })
  return {
    doors: made.map((folder) => join(folder, 'cgroup.procs')),
    close: () => made.forEach(removeGroup),
  }
}

interface Place {
  parent: string
  /** The first of these files must exist; the others depend on the kernel. */
  files: Readonly<Record<string, string>>
}

/** Where groups can be created beside or below this process's own, with cgroup v1 or v2. */
function placesFor({ processes, memoryBytes }: Bounds): Place[] {
  const own = ownGroups()
  const wanted: { controller: string; files: Place['files'] }[] = [
    { controller: 'pids', files: { 'pids.max': `${processes}` } },
    {
      controller: 'memory',
      files: { 'memory.limit_in_bytes': `${memoryBytes}`, 'memory.memsw.limit_in_bytes': `${memoryBytes}` },
    },
  ]
  const older = wanted.flatMap(({ controller, files }): Place[] => {
    const path = own.get(controller)
    return path === undefined ? [] : [{ parent: join(mountPoint, controller, path), files }]
  })
  const path = own.get('')
  if (older.length > 0 || path === undefined) return older
  // In cgroup v2, a group that has processes of its own cannot have limited groups below it.
  const files = { 'pids.max': `${processes}`, 'memory.max': `${memoryBytes}`, 'memory.swap.max': '0' }
  return [{ parent: join(mountPoint, dirname(path)), files }]
}

/** This process's group path by controller; cgroup v2 has one path, under an empty name. */
function ownGroups(): Map<string, string> {
  try {
    const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
    return new Map(
      lines.flatMap((line) => {
        const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
        return controllers.split(',').map((controller) => [controller, path] as const)
      }),
    )
  } catch {
    return new Map() // The system has no control groups.
  }
}

function makeGroup(parent: string, files: Place['files']): string | null {
  let folder: string
  try {
    for (const name of readdirSync(parent)) if (isLeftBehind(name)) removeGroup(join(parent, name))
    folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  } catch {
    return null // This user may not create groups.
  }
  const [first] = Object.keys(files)
  for (const [name, value] of Object.entries(files)) {
    if (existsSync(join(folder, name)) && writeLimit(join(folder, name), value)) continue
    if (name !== first) continue
    removeGroup(folder)
    return null
  }
  return folder
}

function isLeftBehind(name: string): boolean {
  const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
  return Number.isInteger(pid) && !isProcessAlive(pid)
}

function writeLimit(file: string, value: string): boolean {
  try {
    writeFileSync(file, value)
    return true
  } catch {
    return false // More than a surrounding group allows, or counted by another controller.
  }
}

/** The kernel refuses to remove a group that still has processes. */
function removeGroup(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // In use by another run, or already gone.
  }
}
