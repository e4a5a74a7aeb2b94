import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemPath } from '../../file-names'
import { eachEntry, hasStaged, type IndexEntry } from './git-index'

/** What git would not bring back after it has thrown it away. */
export interface Uncommitted {
  /** Files that git knows and that differ from what was added last; some of them, where there are many. */
  changed: string[]
  /** Something was added that is perhaps not committed. */
  staged: boolean
  /** Files that git does not know; some of them, where there are many. */
  untracked: string[]
}

const mostNames = 20
const emptyIndex = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1')
const mostHashedBytes = 4 * 1024 * 1024
const mostWalked = 20_000

/**
 * Compares the files of a work tree with its index as `git status` would, but starts nothing and runs no filter: a file that
 * a filter changes counts as changed. `untracked` files are looked for only where asked.
 */
export function findUncommitted(
  root: string,
  indexFile: string,
  { untracked, ignored, most = mostNames }: { untracked: boolean; ignored: boolean; most?: number },
): Uncommitted | null {
  // Before anything was added there is none.
  const isNew = lstatSync(systemPath(indexFile), { throwIfNoEntry: false }) === undefined
  const bytes = isNew ? emptyIndex : readFileSync(systemPath(indexFile))
  const known = new Set<string>()
  const changed: string[] = []
  const end = eachEntry(bytes, 20, (entry) => {
    known.add(entry.path)
    if (changed.length < most && isChanged(root, entry)) changed.push(entry.path)
  })
  if (end === null) return null
  return { changed, staged: hasStaged(bytes, end), untracked: untracked ? findUntracked(root, known, ignored) : [] }
}

/** Whether a file differs from what was added last; one that is missing does not. */
export function isChanged(root: string, entry: IndexEntry): boolean {
  if (entry.kind !== 'file' || entry.skipped) return false
  if (entry.unmerged) return true
  const stats = lstatSync(systemPath(join(root, entry.path)), { throwIfNoEntry: false, bigint: true })
  // What is missing comes back.
  if (!stats || stats.isDirectory()) return false
  const mtime = BigInt(entry.mtimeSeconds) * 1_000_000_000n + BigInt(entry.mtimeNanoseconds)
  if (Number(stats.size) === entry.size && stats.mtimeNs === mtime) return false
  if (!stats.isFile() || stats.size > mostHashedBytes) return true
  return contentId(readFileSync(systemPath(join(root, entry.path)))) !== entry.id
}

const contentId = (data: Buffer): string =>
  createHash('sha1').update(`blob ${data.length}\0`).update(data).digest('hex')

function findUntracked(root: string, known: ReadonlySet<string>, ignored: boolean): string[] {
  const skip = ignored ? () => false : ignoredBy(root)
  const found: string[] = []
  const folders = ['']
  let walked = 0
  for (let next = 0; next < folders.length && found.length < mostNames; next++) {
    const folder = folders[next] ?? ''
    for (const entry of readdirSync(systemPath(join(root, folder)), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.name === '.git' || skip(entry.name)) continue
      if (++walked > mostWalked) return found
      if (entry.isDirectory()) folders.push(path)
      else if (!known.has(path)) found.push(path)
    }
  }
  return found
}

/** Plain names and endings in the top .gitignore; other patterns count as not ignored. */
function ignoredBy(root: string): (name: string) => boolean {
  const text = readOrNothing(join(root, '.gitignore'))
  const lines = text.split('\n').map((line) => line.trim())
  const names = new Set(lines.flatMap((line) => /^\/?([\w.@-]+)\/?$/.exec(line)?.[1] ?? []))
  const endings = lines.flatMap((line) => /^\*(\.[\w.-]+)$/.exec(line)?.[1] ?? [])
  return (name) => names.has(name) || endings.some((ending) => name.endsWith(ending))
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // Missing or unreadable.
  }
}
