import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

const maxBytes = 1024 * 1024

/** The text of a file inside a folder, links resolved. Throws with words for whoever asked. */
export async function readInside(folder: string, path: string): Promise<string> {
  const [root, file] = await Promise.all([realpath(folder), realpath(resolve(folder, path))]).catch(() => {
    throw new Error(`There is no file ${path} here.`)
  })
  if (!isWithin(file, root)) throw new Error(`${path} is outside ${folder}.`)
  await using opened = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const { size, isFile } = await opened.stat().then((stats) => ({ size: stats.size, isFile: stats.isFile() }))
  if (!isFile) throw new Error(`${path} is not a file.`)
  if (size > maxBytes) throw new Error(`${path} is larger than 1 MB.`)
  return (await opened.readFile('utf8')).replace(/^\uFEFF/, '')
}

export function isWithin(path: string, root: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
