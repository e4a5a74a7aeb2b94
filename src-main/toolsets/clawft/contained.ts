import { constants } from 'node:fs'
import { lstat, open, readdir, realpath, rename, rm } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { type OpenFolder, openFolder } from '../../changes/open-folder'
import { errorCode } from '../../error-code'
import { temporaryName } from '../../temporary'
import { ToolFailure } from '../../tools/tool'

/** A place inside a root: the names that lead there, none of which is a link, `.` or `..`. */
export interface InnerPath {
  root: string
  parts: string[]
  /** The canonical path. */
  path: string
}

/**
 * Resolves a path with all links, provided that it is inside `root`. For a path that does not exist yet, its deepest
 * existing ancestor is resolved. Throws `InvalidPath` for everything else.
 */
export async function contain(root: string, path: string): Promise<InnerPath> {
  if (path === '') throw new ToolFailure('InvalidPath', 'the path is empty')
  if (path.includes('\0')) throw new ToolFailure('InvalidPath', 'the path contains a NUL character')
  const canonicalRoot = await realpath(root)
  const canonical = await canonicalOf(isAbsolute(path) ? path : canonicalRoot + sep + path, path)
  const inner = relative(canonicalRoot, canonical)
  if (inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner)) throw escapes(path)
  return { root: canonicalRoot, parts: inner === '' ? [] : inner.split(sep), path: canonical }
}

const escapes = (path: string): ToolFailure => new ToolFailure('InvalidPath', `${path} is outside the workspace`)

/** Resolved like in the kernel: a `..` after a link leads to the parent of the link's target. */
async function canonicalOf(joined: string, asked: string): Promise<string> {
  const missing: string[] = []
  let existing = joined.replace(/\/+$/, '') || '/'
  for (;;) {
    const found = await realpath(existing).catch(absent)
    if (found !== null) return join(found, ...missing)
    // Writing to a dangling link would create its target.
    if (await lstat(existing).catch(absent)) throw escapes(asked)
    const cut = existing.lastIndexOf('/')
    const name = existing.slice(cut + 1)
    if (name === '..') throw new ToolFailure('FileNotFound', `${asked}: a folder on the way does not exist`)
    if (name !== '' && name !== '.') missing.unshift(name)
    existing = existing.slice(0, cut).replace(/\/+$/, '') || '/'
  }
}

const absent = (error: unknown): null => {
  if (errorCode(error) === 'ENOENT') return null
  throw error
}

/** Errors name the user's path, not the folder handle that was used. */
function named(error: unknown, path: string): unknown {
  return error instanceof Error && 'code' in error ? Object.assign(error, { path }) : error
}

/** The bytes of a file inside the root. */
export async function readContained(inner: InnerPath, maxBytes: number): Promise<Buffer> {
  const { folder, name } = await parentOf(inner, false)
  try {
    const file = await open(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      if (found.isDirectory()) throw new ToolFailure('InvalidPath', `${inner.path} is a directory`)
      if (!found.isFile()) throw new ToolFailure('InvalidPath', `${inner.path} is not a regular file`)
      if (found.size > maxBytes)
        throw new ToolFailure('ExecutionFailed', `${inner.path} has ${found.size} bytes, which is too many`)
      await requireStillHere(folder, inner.path)
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw named(error, inner.path)
  } finally {
    await folder.close()
  }
}

/** Writes a file inside the root completely or not at all; missing folders are created. */
export async function writeContained(inner: InnerPath, data: Buffer): Promise<void> {
  const { folder, name } = await parentOf(inner, true)
  const beside = folder.at(temporaryName(name))
  try {
    const existing = await lstat(folder.at(name)).catch(absent)
    if (existing?.isDirectory()) throw new ToolFailure('InvalidPath', `${inner.path} is a directory`)
    if (existing && !existing.isFile()) throw new ToolFailure('InvalidPath', `${inner.path} is not a regular file`)
    await requireStillHere(folder, inner.path)
    const file = await open(beside, 'wx', existing ? existing.mode & 0o7777 : 0o666)
    try {
      await file.writeFile(data)
      if (existing) await file.chmod(existing.mode & 0o7777)
    } finally {
      await file.close()
    }
    await rename(beside, folder.at(name))
  } catch (error) {
    await rm(beside, { force: true })
    throw named(error, inner.path)
  } finally {
    await folder.close()
  }
}

interface ContainedEntry {
  name: string
  isDir: boolean
  size: number
}

/** The direct children of a folder inside the root, by name. Entries that cannot be read have size 0. */
export async function listContained(inner: InnerPath): Promise<ContainedEntry[]> {
  const folder = await enter(inner, inner.parts, false)
  try {
    const names = await readdir(folder.at('.'))
    names.sort()
    return await Promise.all(
      names.map(async (name) => {
        const found = await lstat(folder.at(name)).catch(() => null)
        return { name, isDir: found?.isDirectory() ?? false, size: found?.size ?? 0 }
      }),
    )
  } finally {
    await folder.close()
  }
}

async function parentOf(inner: InnerPath, create: boolean): Promise<{ folder: OpenFolder; name: string }> {
  const name = inner.parts.at(-1)
  if (name === undefined) throw new ToolFailure('InvalidPath', `${inner.path} is a directory`)
  return { folder: await enter(inner, inner.parts.slice(0, -1), create), name }
}

const enter = ({ root, path }: InnerPath, parts: readonly string[], create: boolean): Promise<OpenFolder> =>
  openFolder(root, parts, create).catch((error: unknown) => {
    throw named(error, path)
  })

async function requireStillHere(folder: OpenFolder, path: string): Promise<void> {
  if (!(await folder.isStillHere())) throw escapes(path)
}
