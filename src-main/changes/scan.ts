import { lstatSync, type Stats } from 'node:fs'
import { setImmediate as nextTick } from 'node:timers/promises'
import { namesIn, systemPath } from '../file-names'

export type EntryKind = 'file' | 'folder' | 'link' | 'other'

/** What a look at a path tells without reading it. Links are not followed. */
export interface Entry {
  kind: EntryKind
  /** Permission bits. */
  mode: number
  size: number
  mtimeMs: number
  ctimeMs: number
  ino: number
  /** A folder that is looked at from outside only. */
  sealed?: true
}

export interface ScanOptions {
  maxEntries: number
  maxMs: number
  /** Whether a folder is only looked at from outside; `path` is relative to the root, with slashes. */
  isSealed(path: string, name: string): boolean
  signal?: AbortSignal
}

export interface Scan {
  /** By path relative to the root, with slashes; the root itself is not among them. */
  entries: Map<string, Entry>
  /** Folders that could not be entered. */
  unread: number
  /** Why there is more in the folder than in `entries`. */
  cut: 'count' | 'time' | null
}

/** Long enough to get somewhere, short enough that nobody waits for the main process. */
const sliceMs = 6

/** Everything below a folder, nearest first: where a limit cuts, it cuts the depths. */
export async function scan(root: string, options: ScanOptions): Promise<Scan> {
  const found: Scan = { entries: new Map(), unread: 0, cut: null }
  const folders = ['']
  const began = performance.now()
  let slice = began
  for (let next = 0; next < folders.length; next++) {
    const folder = folders[next] ?? ''
    for (const name of childrenOf(folder === '' ? root : `${root}/${folder}`, found)) {
      const path = folder === '' ? name : `${folder}/${name}`
      const entry = entryAt(`${root}/${path}`)
      // Gone between the two looks.
      if (!entry) continue
      if (found.entries.size >= options.maxEntries) return { ...found, cut: 'count' }
      if (entry.kind === 'folder') {
        if (options.isSealed(path, name)) entry.sealed = true
        else folders.push(path)
      }
      found.entries.set(path, entry)
    }
    const now = performance.now()
    if (now - slice < sliceMs) continue
    if (now - began > options.maxMs) return { ...found, cut: next === folders.length - 1 ? null : 'time' }
    await nextTick()
    options.signal?.throwIfAborted()
    slice = performance.now()
  }
  return found
}

/** `null` where there is nothing. */
export function entryAt(path: string): Entry | null {
  try {
    const stats = lstatSync(systemPath(path), { throwIfNoEntry: false })
    return stats ? entryOf(stats) : null
  } catch (error) {
    // A file stands where a folder was, or the folder may not be entered.
    if (['ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return null
    throw error
  }
}

export const entryOf = (stats: Stats): Entry => ({
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other',
  mode: stats.mode & 0o7777,
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  ino: stats.ino,
})

function childrenOf(folder: string, found: Scan): string[] {
  try {
    return namesIn(folder)
  } catch (error) {
    // Gone, or not ours to read.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') found.unread++
    return []
  }
}
