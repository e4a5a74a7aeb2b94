import { constants, type Stats } from 'node:fs'
import {
  access,
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { nameText, systemPath } from '../../file-names'
import { temporaryName } from '../../temporary'
import { NodeError } from '../node-error'

/**
 * Writes a file as a whole or not at all: beside its place first, then moved there. A symbolic link stays one and its
 * target is replaced; the mode is kept; missing folders are made. A hard link is broken rather than written through,
 * so that a file which also lives elsewhere does not change there. `checked` are the real paths that the gate looked at:
 * nothing is written anywhere else, even if a folder on the way has become a link since.
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
  // A rename needs no right to the file itself; what is write-protected should stay so.
  await access(systemPath(target), constants.W_OK)
  if (isForeign(existing) || !(await isWritable(dirname(target)))) return overwrite(target, data, checked)
  return replace(target, data, existing.mode & 0o7777, checked)
}

async function replace(target: string, data: Buffer, mode: number | null, checked: Checked): Promise<void> {
  const folder = await open(systemPath(dirname(target)), constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    requireChecked(join(await realPathOf(folder, dirname(target)), basename(target)), checked)
    // From here on the folder is the one that was opened, whatever its path comes to mean.
    const within = process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : dirname(target)
    await replaceWithin(within, target, data, mode)
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

/** In place: where a rename would change the owner, or cannot be done. */
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

type Checked = readonly string[] | undefined

/** Where something that is open really lies. Only Linux can tell for sure; elsewhere the path is looked at once more. */
const realPathOf = (file: FileHandle, path: string): Promise<string> =>
  realText(process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : path)

const realText = async (path: string): Promise<string> => nameText(await realpath(systemPath(path), 'buffer'))

function requireChecked(path: string, checked: Checked): void {
  if (checked && !checked.includes(path))
    throw new NodeError('PermissionDenied', `This leads somewhere else than when it was looked at: ${path}`)
}

/** The user knows the file, not the one beside it. */
function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'code' in error ? Object.assign(error, { path }) : error
}

/** Where a link leads, also when nothing is there yet. */
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
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
