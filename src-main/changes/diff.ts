import type { Entry } from './scan'

export interface Change {
  path: string
  /** `null`: did not exist. */
  before: Entry | null
  /** `null`: no longer exists. */
  after: Entry | null
}

/** By metadata alone: a file that was rewritten with the same content counts as different. */
export const looksSame = (some: Entry, other: Entry): boolean => {
  if (some.kind !== other.kind || some.mode !== other.mode) return false
  // Changes in a folder show through its content, unless that is not looked at.
  if (some.kind === 'folder' && !some.sealed) return true
  return (
    some.mtimeMs === other.mtimeMs &&
    some.ctimeMs === other.ctimeMs &&
    some.size === other.size &&
    some.ino === other.ino
  )
}

/**
 * What was added, removed or changed between two looks at a folder, by path. `isSame` may read the files, for looks at
 * two different trees, or if touched files should not count.
 */
export function diffEntries(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
  isSame: (before: Entry, after: Entry, path: string) => boolean = looksSame,
): Change[] {
  const changes: Change[] = []
  for (const [path, now] of after) {
    const then = before.get(path) ?? null
    if (!then || !isSame(then, now, path)) changes.push({ path, before: then, after: now })
  }
  for (const [path, then] of before) if (!after.has(path)) changes.push({ path, before: then, after: null })
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}
