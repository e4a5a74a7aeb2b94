import { statSync } from 'node:fs'

/** A file that is not what a family of sessions last saw. */
export interface Stale {
  /** Canonical. */
  path: string
  /** When it saw the file, or its first call if it never did. */
  since: number
  seen: boolean
}

/** What each family of sessions last saw of files on disk, so that a change by another process shows as well. */
interface Sightings {
  /** From its first call on, what changes may be news to a family. */
  begin(family: string): void
  /** The file was like this when the family read or wrote it. */
  saw(family: string, path: string, stamp: string): void
  /** Which of these it does not know as they are now. */
  stale(family: string, paths: readonly string[]): Stale[]
}

const mostFiles = 20_000

export function createSightings(now: () => number): Sightings {
  const began = new Map<string, number>()
  const seen = new Map<string, { stamp: string; at: number }>()
  const keyOf = (family: string, path: string): string => `${family}\0${path}`
  return {
    begin: (family) => void (began.has(family) || began.set(family, now())),
    saw: (family, path, stamp) => {
      const key = keyOf(family, path)
      seen.delete(key)
      seen.set(key, { stamp, at: now() })
      const oldest = seen.size > mostFiles ? seen.keys().next().value : undefined
      if (oldest !== undefined) seen.delete(oldest)
    },
    stale: (family, paths) =>
      paths.flatMap((path): Stale[] => {
        const known = seen.get(keyOf(family, path))
        if (known) return known.stamp === stampOf(path) ? [] : [{ path, since: known.at, seen: true }]
        const since = began.get(family)
        return since !== undefined && changedAt(path) >= since ? [{ path, since, seen: false }] : []
      }),
  }
}

/** Another whenever the file is; empty where there is none. */
export function stampOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : ''
  } catch {
    return '' // Not ours to look at: then it is not ours to change either.
  }
}

function changedAt(path: string): number {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isFile() ? stats.mtimeMs : 0
  } catch {
    return 0
  }
}
