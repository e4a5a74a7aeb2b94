import { lstatSync, type Stats } from 'node:fs'
import { setImmediate as nextTick } from 'node:timers/promises'
import { errorCode } from '../error-code'
import { systemPath } from '../file-names'
import {
  createStamps,
  forgetNames,
  isUnchanged,
  type KnownChild,
  type KnownFolder,
  readNames,
  unknownFolder,
} from './known-folders'

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
  /** Whether a path is ignored completely. */
  isLeftOut?(path: string): boolean
  signal?: AbortSignal
  /**
   * The root as earlier scans with the same options left it: folders that have not changed since are not listed again.
   * Such scans must not overlap.
   */
  known?: KnownFolder
  /** The clock for `known`. */
  now?(): number
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
  const top = options.known ?? unknownFolder(root)
  const stampOf = options.known ? createStamps(root, options.now ?? Date.now) : () => null
  if (!isUnchanged(top)) top.stamp = null
  const folders = [top]
  const began = performance.now()
  let slice = began
  for (let next = 0; next < folders.length; next++) {
    const folder = folders[next] ?? top
    if (!folder.stamp && !readNames(folder, stampOf(folder.place), options.isLeftOut)) found.unread++
    for (const child of folder.children) {
      const entry = lookAgain(child, options)
      if (!entry) {
        // Deleted between the two calls.
        folder.stamp = null
        continue
      }
      if (found.entries.size >= options.maxEntries) {
        for (const rest of folders.slice(next)) forgetNames(rest)
        return { ...found, cut: 'count' }
      }
      if (child.folder) folders.push(child.folder)
      found.entries.set(child.path, entry)
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

/** The child's current metadata. A folder whose names must be read again is left without a stamp. */
function lookAgain(child: KnownChild, { isSealed }: ScanOptions): Entry | null {
  if (child.entry && child.folder && isUnchanged(child.folder)) return child.entry
  const entry = entryAt(child.place)
  child.entry = entry
  if (entry?.kind !== 'folder') child.folder = null
  else if (isSealed(child.path, child.name)) entry.sealed = true
  else if (child.folder) child.folder.stamp = null
  else child.folder = unknownFolder(child.place, child.path)
  return entry
}
