import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isProcessAlive } from '../process-alive'

/** What everything inside may use together. */
export interface Bounds {
  processes: number
  memoryBytes: number
}

/** A group of the kernel's for all that runs inside, or two where processes and memory are counted apart. */
export interface Groups {
  /** A process joins by writing its number into each; empty where this user may not make groups. */
  doors: readonly string[]
  close(): void
}

const prefix = 'deckhand-sandbox-'
const mountPoint = '/sys/fs/cgroup'

/** Makes the groups; those that an earlier run left behind go. */
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
  /** The first of them has to be there; the others are as the kernel has them. */
  files: Readonly<Record<string, string>>
}

/** Where groups can be made beside or below the one that this process is in, by the kernel's older or newer way. */
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
  // There a group with processes of its own has no groups below it with limits.
  const files = { 'pids.max': `${processes}`, 'memory.max': `${memoryBytes}`, 'memory.swap.max': '0' }
  return [{ parent: join(mountPoint, dirname(path)), files }]
}

/** The path of this process by what is counted; the newer way counts everything under no name. */
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
    return new Map() // A system without groups.
  }
}

function makeGroup(parent: string, files: Place['files']): string | null {
  let folder: string
  try {
    for (const name of readdirSync(parent)) if (isLeftBehind(name)) removeGroup(join(parent, name))
    folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  } catch {
    return null // Not this user's to make.
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
    return false // Larger than what holds for everything around it, or counted elsewhere.
  }
}

/** The kernel keeps one that still has processes in it. */
function removeGroup(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // In use by another run, or gone already.
  }
}
