import type { MentionedFile } from '../../src-preload/contract/writing'

const most = 30

/**
 * Entries whose path holds the letters of the query in order. A name that begins with the query comes first, then one
 * that contains it, then a path that contains it, then letters that are spread; the shorter path before the longer one.
 */
export function bestMatches(entries: readonly MentionedFile[], query: string): MentionedFile[] {
  const wanted = query.toLowerCase()
  if (wanted === '') return entries.filter(({ path }) => depthOf(path) === 0).slice(0, most)
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry.path.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < 5)
    .sort((one, other) => one.rank - other.rank || one.entry.path.length - other.entry.path.length)
    .slice(0, most)
    .map(({ entry }) => entry)
}

function rankOf(path: string, wanted: string): number {
  const bare = path.replace(/\/$/, '')
  const name = bare.slice(bare.lastIndexOf('/') + 1)
  if (path.startsWith(wanted)) return depthOf(path.slice(wanted.length).replace(/^\//, '')) === 0 ? 0 : 1
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  if (path.includes(wanted)) return 3
  return hasInOrder(path, wanted) ? 4 : 5
}

const depthOf = (path: string): number => path.replace(/\/$/, '').split('/').length - 1

function hasInOrder(path: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = path.indexOf(letter, at)
    if (at < 0) return false
    at += letter.length
  }
  return true
}
