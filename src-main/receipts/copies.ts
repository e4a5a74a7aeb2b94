import { createHash } from 'node:crypto'
import {
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, open, readlink, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileImage } from '../../src-preload/contract/receipts'
import { hashOf } from '../changes/put'
import { entryAt, entryOf } from '../changes/scan'
import { systemPath } from '../file-names'
import { readJson } from '../storage/read-json'

/** What the user wants kept before a call runs. Paths are absolute and canonical. */
export interface CopyRequest {
  files: readonly string[]
  /**
   * Commits that git must not clean up, each with the folder of its repository's shared files; `ref` is the name that
   * the call would remove.
   */
  commits: readonly { home: string; id: string; ref?: string }[]
}

/** A copy that was taken, by the paths that were copied. */
export type KeptCopy = ReadonlyMap<string, FileImage>

/** A copy cannot be taken, so the call must not run. */
export class CopyError extends Error {}

const chunkBytes = 1024 * 1024
/** Space that must stay free on the disk. */
const spareBytes = 50 * 1024 * 1024

/**
 * Copies taken at the user's request before a call: contents by hash, and a list for each call. Unlike the images of
 * receipts they include secrets, large files and files outside the workspace. Only the user can read them, and they are
 * deleted after a month.
 */
export interface Copies {
  take(callId: string, request: CopyRequest): Promise<KeptCopy>
  /** Also keeps what is at a path now, so that an undo can be undone; `null` if there is no plain file. */
  keepNow(callId: string, path: string): Promise<FileImage | null>
  read(hash: string): Buffer | null
  bytes(): number
  sweep(before: number): void
  forgetAll(): void
}

/** The list of one call. */
interface Listed {
  hashes: string[]
  /** Files that give commits a name. */
  pins: string[]
}

export function createCopies(folder: string): Copies {
  const contents = join(folder, 'contents')
  const listOf = (callId: string): string => join(folder, `${safeName(callId)}.json`)

  const list = (path: string): Listed => {
    try {
      return { hashes: [], pins: [], ...readJson<Partial<Listed>>(readFileSync(path, 'utf8'), {}) }
    } catch {
      return { hashes: [], pins: [] } // There is none yet.
    }
  }
  const saveList = (callId: string, listed: Listed): void =>
    writeFileSync(listOf(callId), JSON.stringify(listed), { mode: 0o600 })

  const keep = async (path: string): Promise<FileImage | null> => {
    const entry = entryAt(path)
    if (!entry || entry.kind === 'folder') return null
    if (entry.kind === 'link')
      return { kind: 'link', mode: entry.mode, size: entry.size, target: await readlink(systemPath(path), 'utf8') }
    if (entry.kind !== 'file') return { kind: entry.kind, mode: entry.mode, size: entry.size, unkept: 'unreadable' }
    return copyFile(path, contents)
  }

  /** Deletes contents that are in no list. */
  const dropUnlisted = (): void => {
    const used = new Set(listsIn(folder).flatMap((name) => list(join(folder, name)).hashes))
    for (const name of namesIn(contents)) if (!used.has(name)) rmSync(join(contents, name), { force: true })
  }
  const drop = (path: string): void => {
    for (const pinned of list(path).pins.filter(isPin)) rmSync(pinned, { force: true })
    rmSync(path, { force: true })
  }

  return {
    take: async (callId, { files, commits }) => {
      try {
        mkdirSync(contents, { recursive: true, mode: 0o700 })
        await refuseFullDisk(contents, files)
        const pins = pinsFor(callId, commits)
        saveList(callId, { hashes: [], pins: pins.map(({ path }) => path) })
        writePins(pins)
        const kept = new Map<string, FileImage>()
        for (const path of files) {
          const image = await keep(path)
          // A file that has vanished meanwhile needs no copy.
          if (image) kept.set(path, image)
        }
        for (const [path, image] of looseRefs(commits, contents)) if (!kept.has(path)) kept.set(path, image)
        for (const [path, image] of foldersOf([...kept.keys()])) kept.set(path, image)
        const hashes = [...kept.values()].flatMap(({ hash }) => hash ?? [])
        saveList(callId, { hashes, pins: pins.map(({ path }) => path) })
        return kept
      } catch (error) {
        drop(listOf(callId))
        throw error instanceof CopyError ? error : new CopyError(wordsOf(error), { cause: error })
      }
    },
    keepNow: async (callId, path) => {
      const image = await keep(path)
      const listed = list(listOf(callId))
      if (image?.hash && !listed.hashes.includes(image.hash))
        saveList(callId, { ...listed, hashes: [...listed.hashes, image.hash] })
      return image
    },
    read: (hash) => {
      try {
        const data = readFileSync(join(contents, safeName(hash)))
        // A damaged copy must never be restored.
        return hashOf(data) === hash ? data : null
      } catch {
        return null // Not kept, or not any more.
      }
    },
    bytes: () =>
      namesIn(contents).reduce(
        (sum, name) => sum + (lstatSync(join(contents, name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
    sweep: (before) => {
      const old = listsIn(folder).filter((name) => {
        const stats = statSync(join(folder, name), { throwIfNoEntry: false })
        return stats !== undefined && stats.mtimeMs < before
      })
      for (const name of old) drop(join(folder, name))
      if (old.length > 0) dropUnlisted()
    },
    forgetAll: () => {
      for (const name of listsIn(folder)) drop(join(folder, name))
      dropUnlisted()
    },
  }
}

const safeName = (name: string): string => name.replace(/[^\w-]/g, '_')
const isPin = (path: unknown): path is string => typeof path === 'string' && path.includes('/refs/deckhand/')
const listsIn = (folder: string): string[] => namesIn(folder).filter((name) => name.endsWith('.json'))
const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Copies and hashes in one pass; does not follow a link that has replaced the file. */
async function copyFile(path: string, place: string): Promise<FileImage> {
  const source = await open(systemPath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const temporary = join(place, `taking-${process.pid}-${Date.now()}`)
  try {
    await mkdir(place, { recursive: true, mode: 0o700 })
    const target = await open(temporary, 'wx', 0o600)
    const hash = createHash('sha256')
    const buffer = Buffer.alloc(chunkBytes)
    let size = 0
    try {
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length, null)
        if (bytesRead === 0) break
        const chunk = buffer.subarray(0, bytesRead)
        hash.update(chunk)
        await target.writeFile(chunk)
        size += bytesRead
      }
    } finally {
      await target.close()
    }
    const name = hash.digest('hex')
    await rename(temporary, join(place, name))
    return { kind: 'file', mode: entryOf(await source.stat()).mode, size, hash: name }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await source.close()
  }
}

/** The parent folders of these files, so that they are recreated as they were. */
function foldersOf(paths: readonly string[]): Map<string, FileImage> {
  const folders = new Map<string, FileImage>()
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '/' && !folders.has(folder); folder = dirname(folder)) {
      const entry = entryAt(folder)
      if (entry?.kind === 'folder') folders.set(folder, { kind: 'folder', mode: entry.mode, size: 0 })
    }
  }
  return folders
}

/** git may pack several names into one file; each is restored as a file of its own, which git prefers. */
function looseRefs(commits: CopyRequest['commits'], contents: string): Map<string, FileImage> {
  const refs = new Map<string, FileImage>()
  for (const { home, id, ref } of commits) {
    if (ref === undefined || entryAt(join(home, ref))) continue
    const data = Buffer.from(`${id}\n`)
    const hash = hashOf(data)
    writeFileSync(join(contents, hash), data, { mode: 0o600 })
    refs.set(join(home, ref), { kind: 'file', mode: 0o644, size: data.length, hash })
  }
  return refs
}

async function refuseFullDisk(place: string, files: readonly string[]): Promise<void> {
  const wanted = files.reduce((sum, path) => sum + (entryAt(path)?.size ?? 0), 0)
  const { bavail, bsize } = await statfs(place)
  if (bavail * bsize < wanted + spareBytes) throw new CopyError('There is not enough room on the disk.')
}

interface Pin {
  path: string
  id: string
}

/**
 * Names for commits, so that git does not clean them up. Written as plain files, since git itself would run the hooks
 * of the repository.
 */
function pinsFor(callId: string, commits: CopyRequest['commits']): Pin[] {
  return commits.flatMap(({ home, id }, index): Pin[] => {
    if (existsSync(join(home, 'reftable')))
      throw new CopyError('This repository keeps its names in a format that is not supported.')
    if (!/^[0-9a-f]{40,64}$/.test(id)) return []
    return [{ path: join(home, 'refs', 'deckhand', safeName(callId), String(index)), id }]
  })
}

function writePins(pins: readonly Pin[]): void {
  for (const { path, id } of pins) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${id}\n`)
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
