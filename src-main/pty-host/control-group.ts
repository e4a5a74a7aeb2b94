import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { markOf } from './process-mark'

/**
 * Where the kernel allows it, everything that a call starts is held in a control group of its own. Descendants stay in
 * it whatever they do to their session, parents, environment and limits, and it can be killed as a whole. Desktop
 * systems give each app a group in which it may create others; a shell over ssh often has none. Then only marks are
 * used.
 */
const prefix = 'deckhand-call-'

let root: string | null | undefined

/** The folder in which groups can be created; null if that is not possible here. */
export function groupRoot(): string | null {
  if (root === undefined) root = findRoot()
  return root
}

function findRoot(): string | null {
  if (process.platform !== 'linux') return null
  try {
    const mount = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find((fields) => fields[fields.indexOf('-') + 1] === 'cgroup2')?.[4]
    const own = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
    if (!mount || !own || own.startsWith('/..')) return null
    const folder = join(mount, own)
    const trial = join(folder, `${prefix}trial-${process.pid}`)
    mkdirSync(trial)
    try {
      // Older kernels cannot kill a whole group, and a process can only be moved if both groups are writable.
      writeFileSync(join(trial, 'cgroup.kill'), '1')
      for (const each of [folder, trial]) accessSync(join(each, 'cgroup.procs'), constants.W_OK)
    } finally {
      rmdirSync(trial)
    }
    removeEmptyGroups(folder)
    return folder
  } catch {
    return null // No such file system, not ours to change, or read-only.
  }
}

/** A group is entered right after it was made, even on a very busy machine. */
const enteredMs = 60_000

/**
 * Removes what ended apps have left behind. The kernel refuses to remove groups in which something runs; a young one may
 * belong to another app, which is about to start a program in it.
 */
export function removeEmptyGroups(folder: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const group = join(folder, name)
    if (name.startsWith(prefix) && now - madeAt(group) > enteredMs) removeFolder(group)
  }
}

const madeAt = (group: string): number =>
  statSync(group, { throwIfNoEntry: false })?.ctimeMs ?? Number.POSITIVE_INFINITY

const groupOf = (folder: string, id: string): string => join(folder, prefix + markOf(id))

/** The start of the path of each group; the mark follows. Empty if there are no groups. */
export const groupPathStart = (): string => {
  const folder = groupRoot()
  return folder === null ? '' : join(folder, prefix)
}

/** Creates the group of a call. Returns the file that a process joins it by, or null if there are no groups. */
export function makeGroup(id: string): string | null {
  const folder = groupRoot()
  if (folder === null) return null
  const group = groupOf(folder, id)
  try {
    mkdirSync(group, { recursive: true })
    return join(group, 'cgroup.procs')
  } catch {
    return null // There are too many of them; the mark identifies the program as well.
  }
}

/** Removes the group of a program that has ended, if nothing that it started still runs. */
export function removeGroup(id: string): void {
  const folder = groupRoot()
  if (folder !== null) removeFolder(groupOf(folder, id))
}

function removeFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Something still runs in it, or it was removed by the fork server.
  }
}

/** The pids in the groups of these calls, with the id of each. */
export function groupMembers(ids: Iterable<string>): Map<number, string> {
  const members = new Map<number, string>()
  const folder = groupRoot()
  if (folder === null) return members
  for (const id of ids) {
    for (const pid of readGroup(groupOf(folder, id), 'cgroup.procs').split('\n')) if (pid) members.set(Number(pid), id)
  }
  return members
}

/** Kills everything in the groups of these calls at once: no program can fork faster than that. */
export function killGroups(ids: Iterable<string>): void {
  const folder = groupRoot()
  if (folder === null) return
  for (const id of ids) {
    const group = groupOf(folder, id)
    try {
      writeFileSync(join(group, 'cgroup.kill'), '1', { flag: 'r+' })
    } catch {
      // No group: nothing of this call runs, or it was started without one.
    }
  }
}

function readGroup(group: string, name: string): string {
  try {
    return readFileSync(join(group, name), 'utf8')
  } catch {
    return '' // It was removed when the last of its processes ended.
  }
}
