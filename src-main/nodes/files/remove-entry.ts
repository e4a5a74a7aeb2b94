import { constants } from 'node:fs'
import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { nameText, systemPath } from '../../file-names'
import { type Checked, requireChecked, withFolder, withPath } from './checked'

/** Removes a file, a link itself, or a folder: one that is not empty only with `recursive`. */
export function removeEntry(path: string, recursive: boolean, checked: Checked): Promise<void> {
  const name = basename(path)
  return withFolder(dirname(path), async (within, real) => {
    requireChecked(join(real, name), checked)
    try {
      await removeAt(join(within, name), recursive)
    } catch (error) {
      throw withPath(error, path)
    }
  })
}

async function removeAt(place: string, recursive: boolean): Promise<void> {
  if (!(await lstat(systemPath(place))).isDirectory()) await unlink(systemPath(place))
  else if (!recursive) await rmdir(systemPath(place))
  else if (process.platform === 'linux') await removeTree(place)
  else await rm(systemPath(place), { recursive: true })
}

/** Goes down through open folders only, so that a folder that becomes a link meanwhile leads nowhere. */
async function removeTree(path: string): Promise<void> {
  await withFolder(
    path,
    async (within) => {
      for (const entry of await readdir(systemPath(within), { withFileTypes: true, encoding: 'buffer' })) {
        const place = Buffer.concat([Buffer.from(`${within}/`), entry.name])
        if (!entry.isDirectory()) await unlink(place)
        else await removeTree(`${within}/${nameText(entry.name)}`)
      }
    },
    constants.O_NOFOLLOW,
  )
  await rmdir(systemPath(path))
}
