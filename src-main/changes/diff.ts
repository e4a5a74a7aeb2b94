import type { Entry } from './scan'

export interface Change {
  path: string
  /** `null`: there was nothing. */
  before: Entry | null
  /** `null`: there is nothing any more. */
  after: Entry | null
}

/** By the look of it alone: of a file that was written to and is as before, this says that it differs. */
export const looksSame = (some: Entry, other: Entry): boolean => {
  if (some.kind !== other.kind || some.mode !== other.mode) return false
  // What happens in a folder is told by what is in it, unless nobody looks there.
  if (some.kind === 'folder' && !some.sealed) return true
  return (
    some.mtimeMs === other.mtimeMs &&
    some.ctimeMs === other.ctimeMs &&
    some.size === other.size &&
    some.ino === other.ino
  )
}

/**
 * What came, went and differs between two looks at a folder, by path. `isSame` may read the files, where the looks are at
 * two different trees or a touched file should not count.
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
