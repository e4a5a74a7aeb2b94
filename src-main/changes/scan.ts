import { lstatSync, type Stats } from 'node:fs'
import { setImmediate as nextTick } from 'node:timers/promises'
import { errorCode } from '../error-code'
import { namesIn, systemPath } from '../file-names'

export type EntryKind = 'file' | 'folder' | 'link' | 'other'

/** Metadata of a path, without reading its content. Links are not followed. */
export interface Entry {
  kind: EntryKind
  /** Permission bits. */
  mode: number
  size: number
  mtimeMs: number
  ctimeMs: number
  ino: number
  /** A folder whose content is not looked at. */
  sealed?: true
}

export interface ScanOptions {
  maxEntries: number
  maxMs: number
  /** Whether the content of a folder is skipped; `path` is relative to the root, with slashes. */
  isSealed(path: string, name: string): boolean
  /** Whether a path does not count at all. */
  isLeftOut?(path: string): boolean
  signal?: AbortSignal
}

export interface Scan {
  /** By path relative to the root, with slashes; without the root itself. */
  entries: Map<string, Entry>
  /** Folders that could not be entered. */
  unread: number
  /** Why `entries` is incomplete. */
  cut: 'count' | 'time' | null
}

/** Long enough to make progress, short enough not to block the main process noticeably. */
const sliceMs = 6

/** Everything below a folder, nearest first: a limit cuts off the deepest entries. */
export async function scan(root: string, options: ScanOptions): Promise<Scan> {
  const found: Scan = { entries: new Map(), unread: 0, cut: null }
  const folders = ['']
  const began = performance.now()
  let slice = began
  for (let next = 0; next < folders.length; next++) {
    const folder = folders[next] ?? ''
    for (const name of childrenOf(folder === '' ? root : `${root}/${folder}`, found)) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (options.isLeftOut?.(path)) continue
      const entry = entryAt(`${root}/${path}`)
      // Deleted between the two calls.
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

/** `null` if there is nothing. */
export function entryAt(path: string): Entry | null {
  try {
    const stats = lstatSync(systemPath(path), { throwIfNoEntry: false })
    return stats ? entryOf(stats) : null
  } catch (error) {
    // A file is where a folder was, or the folder may not be entered.
    if (['ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(errorCode(error) ?? '')) return null
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
    // Gone, or not readable by us.
    if (errorCode(error) !== 'ENOENT') found.unread++
    return []
  }
}
