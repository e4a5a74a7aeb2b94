import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../changes/diff'
import { type Entry, entryAt } from '../changes/scan'
import { namesIn } from '../file-names'
import { makeTemporaryFolder } from '../temporary'
import { find } from './probe'
import { imageAt, removeScratch, TooLarge, type View, type ViewLimits } from './view'

/** Relative names, because commas and colons have a meaning in mount options. */
const mountAndWait =
  'cd "$0" && mount -t overlay overlay -o userxattr,lowerdir=lower,upperdir=upper,workdir=work merged && echo ready && read -r end'
const openMs = 10_000
const closeMs = 2_000

/**
 * The workspace with an overlay on top that takes every change: nothing is copied before it is written to. The mount is
 * in its own mount namespace, held by a process that ends with the app. `null` if that does not work here.
 */
export async function openOverlay(workspace: string, path: string, limits: ViewLimits): Promise<View | null> {
  const [unshare, nsenter] = [find('unshare', path), find('nsenter', path)]
  if (!unshare || !nsenter || !isOwn(workspace)) return null
  const scratch = makeTemporaryFolder('trial')
  for (const name of ['upper', 'work', 'merged']) mkdirSync(join(scratch, name))
  symlinkSync(workspace, join(scratch, 'lower'))
  const root = process.getuid?.() === 0
  for (const namespaces of root ? [['--mount'], [...mapped, '--mount']] : [[...mapped, '--mount']]) {
    const holder = spawn(unshare, [...namespaces, '--propagation', 'private', '/bin/sh', '-c', mountAndWait, scratch])
    if (await isReady(holder)) return viewOf(holder, scratch, workspace, nsenter, namespaces, limits)
  }
  removeScratch(scratch)
  return null
}

const mapped = ['--user', '--map-root-user']

function viewOf(
  holder: ChildProcess,
  scratch: string,
  workspace: string,
  nsenter: string,
  namespaces: readonly string[],
  limits: ViewLimits,
): View {
  const upper = join(scratch, 'upper')
  const folder = join(scratch, 'merged')
  /** The mount is visible only inside its namespace, and through this path. */
  const merged = `/proc/${holder.pid}/root${folder}`
  const inUser = namespaces.includes('--user')
  return {
    folder,
    enter: (argv) => [
      nsenter,
      ...['--target', `${holder.pid}`, '--mount'],
      ...(inUser ? ['--user', '--preserve-credentials'] : []),
      '--',
      ...argv,
    ],
    identity: inUser ? ['--uid', `${process.getuid?.()}`, '--gid', `${process.getgid?.()}`] : [],
    size: async () => sizeOf(upper),
    changes: async () => changesOf({ upper, merged, lower: workspace, limit: limits.maxEntries }),
    image: (path) => imageAt(upper, path),
    close: async () => {
      const ended = new Promise((resolve) => holder.once('close', resolve))
      const late = setTimeout(() => holder.kill('SIGKILL'), closeMs)
      const gone = new Promise((resolve) => setTimeout(resolve, 2 * closeMs).unref())
      holder.stdin?.end()
      if (holder.exitCode === null && holder.signalCode === null) await Promise.race([ended, gone])
      clearTimeout(late)
      removeScratch(scratch)
    },
  }
}

/** A user without further rights cannot copy files of other users into the upper layer. */
function isOwn(workspace: string): boolean {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (uid === 0) return true
  return [workspace, ...readdirSync(workspace).map((name) => join(workspace, name))].every((path) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    return !stats || (stats.uid === uid && stats.gid === gid)
  })
}

const isReady = (holder: ChildProcess): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => holder.kill('SIGKILL'), openMs)
    const settle = (ready: boolean): void => {
      clearTimeout(timer)
      resolve(ready)
    }
    holder.stdout?.once('data', () => settle(true))
    holder.once('error', () => settle(false))
    holder.once('close', () => settle(false))
  })

function sizeOf(folder: string): number {
  let bytes = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    bytes += entryAt(join(folder, name))?.size ?? 0
  return bytes
}

interface Layers {
  upper: string
  merged: string
  lower: string
  limit: number
}

/**
 * Only paths in the upper layer can differ; a path of the lower layer that is missing in the merged view was deleted.
 */
function changesOf({ upper, merged, lower, limit }: Layers): Change[] {
  const changes: Change[] = []
  const add = (path: string, before: Entry | null, after: Entry | null): void => {
    if (changes.length >= limit) throw new TooLarge(`It changes more than ${limit} files`)
    if (before || after) changes.push({ path, before, after })
  }
  const emptied = (folder: string): void => {
    for (const name of namesIn(join(lower, folder))) gone(`${folder}/${name}`)
  }
  const gone = (path: string): void => {
    const before = entryAt(join(lower, path))
    if (before?.kind === 'folder') emptied(path)
    add(path, before, null)
  }
  const walk = (folder: string): void => {
    const before = folder === '' ? 'folder' : entryAt(join(lower, folder))?.kind
    const kept = new Set(namesIn(join(merged, folder)))
    if (before === 'folder')
      for (const name of namesIn(join(lower, folder)))
        if (!kept.has(name)) gone(folder === '' ? name : `${folder}/${name}`)
    for (const name of namesIn(join(upper, folder))) {
      if (!kept.has(name)) continue
      const path = folder === '' ? name : `${folder}/${name}`
      const [was, is] = [entryAt(join(lower, path)), entryAt(join(upper, path))]
      if (is?.kind !== 'folder' && was?.kind === 'folder') emptied(path)
      if (is?.kind !== 'folder' || was?.kind !== 'folder' || is.mode !== was.mode) add(path, was, is)
      if (is?.kind === 'folder') walk(path)
    }
  }
  walk('')
  return changes
}
