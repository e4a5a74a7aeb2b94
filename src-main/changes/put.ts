import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises'
import { errorCode } from '../error-code'
import { temporaryName } from '../temporary'
import { type OpenFolder, openFolder } from './open-folder'
import { type Entry, entryOf } from './scan'

/** What is, or should be, at a path; a folder without its content. */
export type Image =
  | { kind: 'file'; mode: number; data: Buffer }
  | { kind: 'link'; target: string }
  | { kind: 'folder'; mode: number }

/** What is at a path now, seen through the same open folder that a change would use. */
export interface Current {
  entry: Entry | null
  /** The content of a file or link of at most `maxBytes`; `null` for everything else. */
  read(maxBytes?: number): Promise<Image | null>
}

type PutResult =
  | 'done'
  /** It is no longer what was expected. */
  | 'changed'
  /** A folder should be removed, but is not empty. */
  | 'not-empty'
  /** The path leads through a link, or through something that is no longer a folder. */
  | 'no-way'

const largest = 64 * 1024 * 1024

export const hashOf = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

/**
 * Makes a path below a canonical root be what `image` says (`null`: nothing), provided that `isExpected` accepts what
 * is there. Never follows a link, and leaves what is there intact when it fails. The path is relative, with slashes.
 */
export async function put(
  root: string,
  path: string,
  image: Image | null,
  isExpected: (now: Current) => boolean | Promise<boolean>,
): Promise<PutResult> {
  let way = await enterParent(root, path, false)
  if (way === 'missing') {
    if (!(await isExpected({ entry: null, read: async () => null }))) return 'changed'
    if (image === null) return 'done'
    way = await enterParent(root, path, true)
  }
  if (typeof way === 'string') return 'no-way'
  const { folder, name } = way
  try {
    const now = await currentAt(folder.at(name))
    if (!(await isExpected(now))) return 'changed'
    if (!(await folder.isStillHere())) return 'no-way'
    return await replace(folder, name, now.entry, image)
  } finally {
    await folder.close()
  }
}

/** What is at a path below a canonical root; `no-way` if the path leads through something that is not a folder. */
export async function look(
  root: string,
  path: string,
  maxBytes?: number,
): Promise<{ entry: Entry | null; image: Image | null } | 'no-way'> {
  const way = await enterParent(root, path, false)
  if (way === 'missing') return { entry: null, image: null }
  if (way === 'no-way') return way
  try {
    const now = await currentAt(way.folder.at(way.name))
    return { entry: now.entry, image: await now.read(maxBytes) }
  } finally {
    await way.folder.close()
  }
}

type Way = { folder: OpenFolder; name: string }

async function enterParent(root: string, path: string, create: boolean): Promise<Way | 'missing' | 'no-way'> {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  if ([...parts, name].some((part) => ['', '.', '..'].includes(part))) return 'no-way'
  try {
    return { folder: await openFolder(root, parts, create), name }
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return 'missing'
    // A link, or a file instead of a folder.
    if (code === 'ENOTDIR' || code === 'ELOOP') return 'no-way'
    throw error
  }
}

async function currentAt(place: string | Buffer): Promise<Current> {
  const stats = await lstat(place).catch(absent)
  const entry = stats && entryOf(stats)
  return {
    entry,
    read: async (maxBytes = largest) => {
      if (!entry || entry.size > maxBytes) return null
      if (entry.kind === 'folder') return { kind: 'folder', mode: entry.mode }
      if (entry.kind === 'link') return { kind: 'link', target: await readlink(place) }
      if (entry.kind === 'other') return null
      const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        return { kind: 'file', mode: entry.mode, data: await file.readFile() }
      } finally {
        await file.close()
      }
    },
  }
}

async function replace(folder: OpenFolder, name: string, now: Entry | null, image: Image | null): Promise<PutResult> {
  const place = folder.at(name)
  if (now?.kind === 'folder' && image?.kind !== 'folder') {
    const removed = await rmdir(place).then(() => true, notEmpty)
    if (!removed) return 'not-empty'
  }
  if (image === null) {
    if (now && now.kind !== 'folder') await unlink(place)
    return 'done'
  }
  if (image.kind === 'folder') {
    if (now && now.kind !== 'folder') await unlink(place)
    if (now?.kind !== 'folder') await mkdir(place)
    await chmod(place, image.mode)
    return 'done'
  }
  const beside = folder.at(temporaryName(name))
  try {
    if (image.kind === 'link') await symlink(image.target, beside)
    else await writeNew(beside, image)
    await rename(beside, place)
  } catch (error) {
    await unlink(beside).catch(absent)
    throw error
  }
  return 'done'
}

async function writeNew(place: string | Buffer, { data, mode }: { data: Buffer; mode: number }): Promise<void> {
  const file = await open(place, 'wx', mode)
  try {
    await file.writeFile(data)
    await file.chmod(mode)
  } finally {
    await file.close()
  }
}

const absent = (error: unknown): null => {
  if (errorCode(error) === 'ENOENT') return null
  throw error
}

const notEmpty = (error: unknown): false => {
  if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) return false
  throw error
}
