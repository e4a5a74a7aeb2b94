import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { LeftOutImport } from '../../src-preload/contract/instructions'
import { importsIn } from './imports'

/** One file with instructions. */
export interface InstructionDocument {
  /** As the user and the agent know it. */
  shown: string
  text: string
  importedBy?: string
}

export interface Documents {
  documents: InstructionDocument[]
  leftOut: LeftOutImport[]
}

export interface ReadOptions {
  home: string
  /** Files that must not be imported without asking, whatever folder they are in. */
  isSecret(path: string): boolean
  /** Real paths outside the folder that the user has allowed. */
  allowed?: ReadonlySet<string>
}

/** In each folder the first of these that is there counts. */
export const agentsFile = 'AGENTS.md'
const claudeFiles = ['CLAUDE.md', '.claude/CLAUDE.md']

const maxBytes = 256 * 1024
const mostHops = 5
const mostImports = 20

/**
 * The instructions of one folder: its AGENTS.md, or else its CLAUDE.md with what that imports. Files are read only inside
 * `root`; a link or an import that leads out of it is left out unless the user allowed it.
 */
export async function readFolder(folder: string, root: string, options: ReadOptions): Promise<Documents> {
  const found: Documents = { documents: [], leftOut: [] }
  for (const name of [agentsFile, ...claudeFiles]) {
    const path = join(folder, name)
    const place = await placeOf(path, root, options)
    if (place === 'missing') continue
    const shown = relative(root, path) || name
    if (place === 'outside' || place === 'secret') {
      found.leftOut.push({ path: shown, importedBy: shown, why: place })
      continue
    }
    const text = await readText(place)
    if (text === null || text.trim() === '') continue
    found.documents.push({ shown, text })
    if (name !== agentsFile) await addImports(found, { path, text, shown }, root, options)
    return found
  }
  return found
}

/** The user's own file: nobody else writes it, so that it may import from anywhere but what is secret. */
export async function readOwn(path: string, options: ReadOptions): Promise<Documents> {
  const found: Documents = { documents: [], leftOut: [] }
  const text = await readText(path)
  if (text === null || text.trim() === '') return found
  const shown = shownFromHome(path, options.home)
  found.documents.push({ shown, text })
  await addImports(found, { path, text, shown }, '/', options)
  return found
}

interface Importing {
  path: string
  text: string
  shown: string
}

async function addImports(found: Documents, first: Importing, root: string, options: ReadOptions): Promise<void> {
  const seen = new Set([await realpath(first.path).catch(() => first.path)])
  const add = async (from: Importing, hop: number): Promise<void> => {
    for (const word of importsIn(from.text)) {
      const path = resolve(dirname(from.path), word.startsWith('~/') ? join(options.home, word.slice(2)) : word)
      const leave = (why: LeftOutImport['why'], target?: string): void =>
        void found.leftOut.push({ path: word, importedBy: from.shown, why, target })
      const place = await placeOf(path, root, options)
      if (place === 'missing') {
        // Most words behind an @ are names of people and packages.
        if (/[/.]/.test(word) && !word.startsWith('~')) leave('missing')
        continue
      }
      if (place === 'outside') leave('outside', await realpath(path))
      else if (place === 'secret') leave('secret')
      if (place === 'outside' || place === 'secret' || seen.has(place)) continue
      if (hop > mostHops || seen.size > mostImports) {
        leave('limit')
        continue
      }
      seen.add(place)
      const text = await readText(place)
      if (text === null) {
        leave('unreadable')
        continue
      }
      const shown = isInside(path, root) && root !== '/' ? relative(root, path) : shownFromHome(path, options.home)
      found.documents.push({ shown, text, importedBy: from.shown })
      await add({ path, text, shown }, hop + 1)
    }
  }
  await add(first, 1)
}

/** The real path of a file that may be read, or why it may not. */
async function placeOf(path: string, root: string, options: ReadOptions): Promise<string> {
  let real: string
  try {
    real = await realpath(path)
  } catch {
    // Not there, or not for us to see.
    return 'missing'
  }
  if (options.isSecret(path) || options.isSecret(real)) return 'secret'
  const inside = isInside(real, await realpath(root).catch(() => root))
  return inside || options.allowed?.has(real) ? real : 'outside'
}

export function isInside(path: string, root: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const shownFromHome = (path: string, home: string): string =>
  isInside(path, home) ? join('~', relative(home, path)) : path

/** A pipe or device must not block or be read endlessly. */
async function readText(path: string): Promise<string | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > maxBytes) return null
    return (await file.readFile('utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
