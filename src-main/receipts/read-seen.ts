import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import type { FileImage } from '../../src-preload/contract/receipts'
import { type Entry, entryOf } from '../changes/scan'
import { systemPath } from '../file-names'
import type { ImageStore, Seen } from './image-store'

/**
 * File times are coarser than the clock: a file written within this time may be written again without a visible change.
 */
const freshMs = 50

/** Reads what is at a path: a file's content goes to the store, unless it is too large, secret, or `refuse`d. */
export function readSeen(
  root: string,
  path: string,
  entry: Entry,
  options: {
    store: ImageStore
    maxBytes: number
    refuse: 'late' | 'full' | null
    isSecret(path: string): boolean
    now(): number
  },
): Seen | null {
  const fresh = options.now() - Math.max(entry.mtimeMs, entry.ctimeMs) < freshMs
  const image: FileImage = { kind: entry.kind, mode: entry.mode, size: entry.kind === 'folder' ? 0 : entry.size }
  if (entry.sealed) return { entry, fresh, image: { ...image, unkept: 'sealed' } }
  if (entry.kind === 'link') return readLink(root, path, entry, image)
  if (entry.kind === 'other') return { entry, fresh: false, image: { ...image, unkept: 'unreadable' } }
  if (entry.kind === 'folder') return { entry, fresh: false, image }
  const unkept = options.isSecret(path) ? 'secret' : entry.size > options.maxBytes ? 'large' : options.refuse
  if (unkept) return { entry, fresh, image: { ...image, unkept } }
  return readFile(root, path, entry, options.store, fresh)
}

function readLink(root: string, path: string, entry: Entry, image: FileImage): Seen | null {
  try {
    return { entry, fresh: false, image: { ...image, target: readlinkSync(systemPath(`${root}/${path}`)) } }
  } catch {
    return null // Replaced since the look; the next look will see the new file.
  }
}

function readFile(root: string, path: string, looked: Entry, store: ImageStore, fresh: boolean): Seen {
  const read = contentOf(`${root}/${path}`)
  if (!read) {
    const image: FileImage = { kind: 'file', mode: looked.mode, size: looked.size, unkept: 'unreadable' }
    return { entry: looked, fresh, image }
  }
  const { entry, data } = read
  const image: FileImage = { kind: 'file', mode: entry.mode, size: data.length, hash: store.keep(data) }
  return { entry, fresh: fresh || entry.size !== data.length, image }
}

/** `null` if we may not read it, or it is no longer a file. */
function contentOf(path: string): { entry: Entry; data: Buffer } | null {
  let fd: number | null = null
  try {
    fd = openSync(systemPath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    return { entry: entryOf(fstatSync(fd)), data: readFileSync(fd) }
  } catch {
    return null // An error is the only way the system reports this.
  } finally {
    if (fd !== null) closeSync(fd)
  }
}
