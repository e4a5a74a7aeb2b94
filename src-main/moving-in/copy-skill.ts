import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const mostFiles = 500
const mostBytes = 20 * 1024 * 1024

/** Copies the folder of a skill: files and folders, no links, and not more than a skill has. */
export async function copySkill(from: string, to: string): Promise<void> {
  let files = 0
  let bytes = 0
  const copy = async (path: string): Promise<void> => {
    await mkdir(join(to, path), { recursive: true, mode: 0o700 })
    for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
      const here = join(path, entry.name)
      if (entry.isDirectory()) await copy(here)
      if (!entry.isFile()) continue
      const { size } = await lstat(join(from, here))
      files++
      bytes += size
      if (files > mostFiles || bytes > mostBytes) throw new Error('The skill is too large to be copied.')
      await copyFile(join(from, here), join(to, here))
    }
  }
  await copy('')
}
