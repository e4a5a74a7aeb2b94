import { type BigIntStats, lstatSync, statfsSync } from 'node:fs'
import { errorCode } from '../error-code'
import { namesIn, systemPath } from '../file-names'
import type { Entry } from './scan'

/** A folder, and the names in it when they were last read. */
export interface KnownFolder {
  /** Absolute. */
  place: string
  /** Relative to the root, with slashes; empty for the root itself. */
  path: string
  children: KnownChild[]
  /** The folder's metadata when its names were read; `null` if they must be read again. */
  stamp: Stamp | null
}

export interface KnownChild {
  name: string
  place: string
  path: string
  /** What the last look found. */
  entry: Entry | null
  /** Set if it is a folder whose content is looked at. */
  folder: KnownFolder | null
}

/** Adding or removing a name always changes these times. A program can set `mtime` back, but not `ctime`. */
interface Stamp {
  dev: bigint
  ino: bigint
  mtimeNs: bigint
  ctimeNs: bigint
}

/**
 * File times are coarser than the clock: a folder that changed this shortly before its names were read may change again
 * without a new time.
 */
const racyNs = 2_000_000_000n

/**
 * Local file systems that give a folder a new time whenever its names change: ext, xfs, btrfs, f2fs, bcachefs, zfs,
 * tmpfs, overlay. File systems on a network or in user space may not, or may answer from a cache.
 */
const timekeeping = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0xca451a4e, 0x2fc12fc1, 0x01021994, 0x794c7630,
])

export const unknownFolder = (place: string, path = ''): KnownFolder => ({ place, path, children: [], stamp: null })

export function forgetNames(folder: KnownFolder): void {
  folder.children = []
  folder.stamp = null
}

/** Whether the names of a folder are still those that were read. */
export function isUnchanged({ place, stamp }: KnownFolder): boolean {
  if (!stamp) return false
  const now = statsAt(place)
  return (
    now !== null &&
    now.ctimeNs === stamp.ctimeNs &&
    now.mtimeNs === stamp.mtimeNs &&
    now.ino === stamp.ino &&
    now.dev === stamp.dev
  )
}

/**
 * Returns a function that stamps a folder before its names are read; `null` if a later change might not show. Create it
 * for one scan only: by the next one, something else may be mounted there.
 */
export function createStamps(root: string, now: () => number): (place: string) => Stamp | null {
  const device = timekeepingDevice(root)
  if (device === null) return () => null
  return (place) => {
    // In this order, and before the names are read: any later change gets a time after the one compared here.
    const before = BigInt(Math.floor(now())) * 1_000_000n
    const stats = statsAt(place)
    if (!stats?.isDirectory() || stats.dev !== device) return null
    const { dev, ino, mtimeNs, ctimeNs } = stats
    const isRacy = before - ctimeNs < racyNs || before - mtimeNs < racyNs
    return isRacy ? null : { dev, ino, mtimeNs, ctimeNs }
  }
}

function timekeepingDevice(root: string): bigint | null {
  if (process.platform !== 'linux') return null
  try {
    return timekeeping.has(statfsSync(systemPath(root)).type) ? (statsAt(root)?.dev ?? null) : null
  } catch {
    return null // It is not accessible; reading it will report why.
  }
}

/** Reads the names of a folder and keeps what is known of those that are still there. `false` if it cannot be read. */
export function readNames(
  folder: KnownFolder,
  stamp: Stamp | null,
  isLeftOut: (path: string) => boolean = () => false,
): boolean {
  const known = new Map(folder.children.map((child) => [child.name, child]))
  forgetNames(folder)
  let names: string[]
  try {
    names = namesIn(folder.place)
  } catch (error) {
    // Gone, or not readable by us.
    return errorCode(error) === 'ENOENT'
  }
  const prefix = folder.path === '' ? '' : `${folder.path}/`
  for (const name of names) {
    const path = prefix + name
    if (isLeftOut(path)) continue
    const place = `${folder.place}/${name}`
    folder.children.push(known.get(name) ?? { name, place, path, entry: null, folder: null })
  }
  folder.stamp = stamp
  return true
}

function statsAt(place: string): BigIntStats | null {
  try {
    return lstatSync(systemPath(place), { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null // It is not accessible; reading it will report why.
  }
}
