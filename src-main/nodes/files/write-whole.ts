import { constants, type Stats } from 'node:fs'
import { access, chmod, lstat, mkdir, open, readlink, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode } from '../../error-code'
import { nameText, systemPath } from '../../file-names'
import { temporaryName } from '../../temporary'
import { NodeError } from '../node-error'
import { type Checked, realPathOf, realText, requireChecked, withinOpen, withPath } from './checked'

/**
 * Writes a file completely or not at all: beside its place first, then moved there. A symbolic link is kept and its
 * target is replaced; the mode is kept; missing folders are created. A hard link is broken rather than written through,
 * so that the file does not change at its other places. `checked` are the real paths that the gate approved: nothing is
 * written anywhere else, even if a folder on the way has become a link since.
 */
export async function writeWhole(path: string, data: Buffer, checked?: readonly string[]): Promise<void> {
  const target = await linkTarget(path)
  const existing = await statOrNull(target)
  if (!existing) {
    await mkdir(systemPath(dirname(target)), { recursive: true })
    return replace(target, data, null, checked)
  }
  if (existing.isDirectory()) throw new NodeError('InvalidPath', `This is a directory: ${path}`)
  if (existing.isCharacterDevice()) return overwrite(target, data, checked)
  if (!existing.isFile()) throw new NodeError('InvalidPath', `This is not a regular file: ${path}`)
  // A rename needs no permission on the file itself, but a write-protected file should stay unchanged.
  await access(systemPath(target), constants.W_OK)
  if (isForeign(existing) || !(await isWritable(dirname(target)))) return overwrite(target, data, checked)
  return replace(target, data, existing.mode & 0o7777, checked)
}

async function replace(target: string, data: Buffer, mode: number | null, checked: Checked): Promise<void> {
  const folder = await open(systemPath(dirname(target)), constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    requireChecked(join(await realPathOf(folder, dirname(target)), basename(target)), checked)
    // From here on the opened folder is used, even if its path changes its meaning.
    await replaceWithin(withinOpen(folder, dirname(target)), target, data, mode)
  } finally {
    await folder.close()
  }
}

async function replaceWithin(folder: string, target: string, data: Buffer, mode: number | null): Promise<void> {
  const beside = systemPath(join(folder, temporaryName(basename(target))))
  try {
    const file = await open(beside, 'wx', mode ?? 0o666)
    try {
      await file.writeFile(data)
    } finally {
      await file.close()
    }
    if (mode !== null) await chmod(beside, mode)
    await rename(beside, systemPath(join(folder, basename(target))))
  } catch (error) {
    await rm(beside, { force: true })
    throw withPath(error, target)
  }
}

/** In place, for when a rename would change the owner or is not possible. */
async function overwrite(target: string, data: Buffer, checked: Checked): Promise<void> {
  const file = await open(systemPath(target), constants.O_WRONLY | constants.O_NONBLOCK)
  try {
    requireChecked(await realPathOf(file, target), checked)
    if ((await file.stat()).isFile()) await file.truncate()
    await file.writeFile(data)
  } catch (error) {
    throw withPath(error, target)
  } finally {
    await file.close()
  }
}

/** The target of a link, even if nothing is there yet. */
async function linkTarget(path: string): Promise<string> {
  let current = path
  for (let hops = 0; hops < 40; hops++) {
    const found = await statOrNull(current, lstat)
    if (!found?.isSymbolicLink()) return found ? realText(current) : current
    current = resolve(dirname(current), nameText(await readlink(systemPath(current), 'buffer')))
  }
  throw new NodeError('InvalidPath', `Too many symbolic links: ${path}`)
}

export async function statOrNull(
  path: string,
  look: (path: string | Buffer) => Promise<Stats> = stat,
): Promise<Stats | null> {
  try {
    return await look(systemPath(path))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

const isForeign = ({ uid }: Stats): boolean => process.geteuid !== undefined && uid !== process.geteuid()

async function isWritable(directory: string): Promise<boolean> {
  return access(systemPath(directory), constants.W_OK).then(
    () => true,
    () => false,
  )
}
