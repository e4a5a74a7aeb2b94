import { basename, dirname, join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { FileImage } from '../../src-preload/contract/receipts'
import { looksSame } from '../changes/diff'
import { unknownFolder } from '../changes/known-folders'
import { type Entry, entryAt, scan } from '../changes/scan'
import { removeLeftFile } from '../temporary'
import { isLeftOut, withoutLooks } from './git-parts'
import type { ImageStore, Seen, SeenFiles } from './image-store'
import type { Limits } from './limits'
import { readSeen } from './read-seen'

export interface SeenChange {
  path: string
  before: FileImage | null
  after: FileImage | null
}

export interface Look {
  changes: SeenChange[]
  /** What the limits left out, in whole sentences. */
  notes: string[]
}

/** The known state of one workspace, updated by each look. Looks must not overlap. */
export interface Watch {
  /**
   * Looks at everything, or only at these paths and what is below them, and returns the differences from the last look.
   * With a signal it is a preparation that nobody waits for: it has no time limit, and rejects when aborted. What it
   * has read by then is not read again.
   */
  look(paths?: readonly string[], patient?: AbortSignal): Promise<Look>
}

interface WatchOptions {
  /** Canonical. */
  root: string
  store: ImageStore
  limits: Limits
  isSealed(path: string, name: string): boolean
  isSecret(path: string): boolean
  now(): number
}

const sliceMs = 6
/** Reads at least this many files at once: on a busy machine the time may be up before the first. */
const fewest = 32

export function createWatch(options: WatchOptions): Watch {
  const { root, store, limits } = options
  const loaded = store.load(root)
  const seen: SeenFiles = loaded ?? new Map()
  /** Whether a path that was not seen did not exist. */
  let complete = loaded !== null
  const known = unknownFolder(root)
  let lookedAt = 0
  let keptBytes = 0
  for (const file of seen.values()) if (file?.image.hash) keptBytes += file.image.size

  /** Whether the last look at a path is still valid, without reading anything. */
  const holds = (then: Seen | null | undefined, now: Entry): then is Seen =>
    !!then && !then.fresh && then.image.unkept !== 'late' && looksSame(then.entry, now)

  const lookAt = async (
    found: ReadonlyMap<string, Entry>,
    gone: readonly string[],
    { cut = false, whole = false, patient }: { cut?: boolean; whole?: boolean; patient?: AbortSignal | undefined } = {},
  ): Promise<SeenChange[]> => {
    const began = performance.now()
    const changes: SeenChange[] = []
    // The first complete look also stores what partial looks have found before.
    let pending = new Map<string, Seen | null>(whole && !complete ? seen : [])
    let slice = began

    const note = (path: string, now: Seen | null): void => {
      const then = seen.get(path)
      const known = then !== undefined || (complete && !(cut && now && now.entry.ctimeMs < lookedAt))
      keptBytes += (now?.image.hash ? now.image.size : 0) - (then?.image.hash ? then.image.size : 0)
      if (now || !complete) seen.set(path, now)
      else seen.delete(path)
      pending.set(path, now)
      if (!known || isSame(then ?? null, now)) return
      changes.push({ path, before: then?.image ?? null, after: now?.image ?? null })
    }
    const save = (): void => {
      if (!whole && !complete) return
      store.remember(root, pending)
      pending = new Map()
    }

    const unread: [string, Entry][] = []
    for (const [path, entry] of found) if (!holds(seen.get(path), entry)) unread.push([path, entry])
    for (let next = 0; next < unread.length; ) {
      store.batch(() => {
        for (let taken = 0; next < unread.length && (taken < fewest || performance.now() - slice < sliceMs); taken++) {
          const [path, entry] = unread[next++] as [string, Entry]
          const then = seen.get(path)
          const isLate = !patient && performance.now() - began > limits.keepMs
          // The content it most likely still has is better than nothing.
          if (isLate && then?.image.hash && looksSame(then.entry, entry)) continue
          const room = limits.maxWorkspaceBytes - keptBytes + (then?.image.size ?? 0)
          const refuse = isLate ? 'late' : entry.size > room ? 'full' : null
          note(path, readSeen(root, path, entry, { ...options, refuse, maxBytes: limits.maxFileBytes }))
        }
        save()
      })
      await nextTick()
      patient?.throwIfAborted()
      slice = performance.now()
    }
    for (const path of gone) note(path, null)
    if (pending.size > 0) save()
    lookedAt = options.now()
    return withoutLooks(changes).sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  const lookAtAll = async (patient?: AbortSignal): Promise<Look> => {
    const { entries, cut, unread } = await scan(root, {
      maxEntries: limits.maxEntries,
      maxMs: limits.scanMs,
      isSealed: options.isSealed,
      isLeftOut,
      known,
      now: options.now,
      signal: patient,
    })
    removeLeft(root, entries)
    if (!complete) store.begin(root)
    const missing: string[] = []
    for (const path of seen.keys()) if (!entries.has(path)) missing.push(path)
    // If the look was cut short, a path that it did not reach must be checked before it counts as gone.
    const gone = cut ? missing.filter((path) => entryAt(`${root}/${path}`) === null) : missing
    const changes = await lookAt(entries, gone, { cut: cut !== null, whole: true, patient })
    if (!complete) store.finish(root)
    complete = true
    return { changes, notes: cutNotes(cut, entries.size, unread) }
  }

  const lookAtPaths = async (paths: readonly string[], patient?: AbortSignal): Promise<Look> => {
    const { found, asked } = await scanPaths(options, paths)
    const below = (path: string): boolean => paths.some((each) => path.startsWith(`${each}/`))
    const folders = paths.some((path) => seen.get(path)?.entry.kind === 'folder')
    const missing = [...asked, ...(folders ? [...seen.keys()].filter(below) : [])].filter((path) => !found.has(path))
    return { changes: await lookAt(found, [...new Set(missing)], { patient }), notes: [] }
  }

  return { look: (paths, patient) => (paths ? lookAtPaths(paths, patient) : lookAtAll(patient)) }
}

/** What is at these paths and below them, and which paths that answers for. */
async function scanPaths({ root, limits, ...options }: WatchOptions, paths: readonly string[]) {
  const found = new Map<string, Entry>()
  const asked = new Set<string>()
  for (const path of paths) {
    const entry = addWay(root, path, found, asked)
    if (entry?.kind !== 'folder' || options.isSealed(path, path.slice(path.lastIndexOf('/') + 1))) continue
    const below = await scan(`${root}/${path}`, {
      maxEntries: limits.maxEntries,
      maxMs: limits.scanMs,
      isSealed: (inner, name) => options.isSealed(`${path}/${inner}`, name),
      isLeftOut: (inner) => isLeftOut(`${path}/${inner}`),
    })
    for (const [inner, each] of below.entries) found.set(`${path}/${inner}`, each)
  }
  return { found, asked }
}

/** Temporary files that a crash left beside edited files do not count as changes. */
function removeLeft(root: string, entries: Map<string, Entry>): void {
  for (const [path, { kind }] of entries) {
    if (kind !== 'file' || !path.endsWith('.tmp')) continue
    if (removeLeftFile(join(root, dirname(path)), basename(path))) entries.delete(path)
  }
}

/** Adds the path itself and its parent folders: a call may create them, or remove them together with it. */
function addWay(root: string, path: string, found: Map<string, Entry>, asked: Set<string>): Entry | null {
  const parts = path.split('/')
  for (let length = 1; length <= parts.length; length++) {
    const way = parts.slice(0, length).join('/')
    asked.add(way)
    const entry = entryAt(`${root}/${way}`)
    if (!entry) {
      for (let rest = length + 1; rest <= parts.length; rest++) asked.add(parts.slice(0, rest).join('/'))
      return null
    }
    found.set(way, entry)
    if (length === parts.length) return entry
    // Content behind a link is elsewhere.
    if (entry.kind !== 'folder') return null
  }
  return null
}

/** Compares contents if both are known, otherwise the metadata. */
export const isSameImage = (some: FileImage | null, other: FileImage | null): boolean => {
  if (!some || !other) return some === other
  return (
    some.kind === other.kind &&
    some.mode === other.mode &&
    some.hash === other.hash &&
    some.target === other.target &&
    (some.kind !== 'file' || some.size === other.size)
  )
}

const isSame = (then: Seen | null, now: Seen | null): boolean => {
  if (!then || !now) return then === now
  const known = then.image.hash !== undefined && now.image.hash !== undefined
  const byContent = known || (then.entry.kind !== 'file' && !then.entry.sealed)
  if (byContent) return isSameImage(then.image, now.image)
  // The content of only one of them is kept, so the metadata decides.
  return looksSame(then.entry, now.entry)
}

const count = (number: number): string => number.toLocaleString('en')

function cutNotes(cut: 'count' | 'time' | null, watched: number, unread: number): string[] {
  const notes: string[] = []
  if (cut === 'count')
    notes.push(`The workspace has more than ${count(watched)} files: only the first ${count(watched)} are watched.`)
  if (cut === 'time') notes.push(`The workspace is slow to scan: only ${count(watched)} of its files are watched.`)
  if (unread > 0) notes.push(`${count(unread)} ${unread === 1 ? 'place' : 'places'} could not be checked.`)
  return notes
}
