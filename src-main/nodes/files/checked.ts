import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { nameText, systemPath } from '../../file-names'
import { NodeError } from '../node-error'

/**
 * The real paths that the gate approved. A path is approved first and opened later, and meanwhile a folder on the way
 * can become a link. So the path is opened, then compared where that led, and from then on only what was opened is
 * used.
 */
export type Checked = readonly string[] | undefined

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/** The error with the path that was given, instead of the one by which an open file is named. */
export const withPath = (error: unknown, path: string): unknown =>
  error instanceof Error && 'code' in error ? Object.assign(error, { path }) : error

/** Throws if something is open that nobody approved. */
export function requireChecked(path: string, checked: Checked): void {
  if (checked && !checked.includes(path))
    throw new NodeError('PermissionDenied', `This leads somewhere else than when it was checked: ${path}`)
}

/** The real path of something open. Only Linux can tell for sure; elsewhere the path is resolved once more. */
export const realPathOf = (file: FileHandle, path: string): Promise<string> =>
  realText(process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : path)

export const realText = async (path: string): Promise<string> => nameText(await realpath(systemPath(path), 'buffer'))

/** A path to an open folder that stays valid, even if the folder's own path now leads elsewhere. */
export const withinOpen = (folder: FileHandle, path: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : path

/** Opens a folder and passes on how to name it, and its real path. */
export async function withFolder<T>(
  path: string,
  use: (within: string, real: string) => Promise<T>,
  extraFlags = 0,
): Promise<T> {
  const folder = await open(systemPath(path), constants.O_RDONLY | constants.O_DIRECTORY | extraFlags)
  try {
    return await use(withinOpen(folder, path), await realPathOf(folder, path))
  } finally {
    await folder.close()
  }
}
