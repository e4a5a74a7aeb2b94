import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { errorCode } from '../error-code'
import { systemPath } from '../file-names'

/**
 * Folders are entered name by name from an open root, and never through a link: if a folder is replaced by a link
 * between the check and the change, the change fails. On systems without paths for open folders, a second check right
 * before the change is used instead.
 */
const foldersHavePaths = process.platform === 'linux'

export interface OpenFolder {
  /** Prefix for a name in this folder. */
  at(name: string): string | Buffer
  /** Call this right before a change: checks that the folder is still the one that was entered. */
  isStillHere(): Promise<boolean>
  close(): Promise<void>
}

/** `root` is canonical. With `create`, missing folders on the way are created. */
export async function openFolder(root: string, parts: readonly string[], create: boolean): Promise<OpenFolder> {
  let handle = await enter(root)
  let here = root
  try {
    for (const part of parts) {
      const next = systemPath(join(foldersHavePaths ? `/proc/self/fd/${handle.fd}` : here, part))
      if (create) await mkdir(next).catch(alreadyThere)
      const inner = await enter(next)
      await handle.close()
      handle = inner
      here = join(here, part)
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  const prefix = foldersHavePaths ? `/proc/self/fd/${handle.fd}` : here
  return {
    at: (name) => systemPath(join(prefix, name)),
    isStillHere: async () => foldersHavePaths || (await realpath(here)) === resolve(here),
    close: () => handle.close(),
  }
}

const enter = (folder: string | Buffer): Promise<FileHandle> =>
  open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)

const alreadyThere = (error: unknown): void => {
  if (errorCode(error) !== 'EEXIST') throw error
}
