import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createSightings, type Stale, stampOf } from './sightings'

/** A file that another session has changed since this one last read it. */
export interface Collision {
  /** Canonical. */
  path: string
  /** Who changed it last; `null` if that was no session that we know of. */
  sessionId: string | null
  /** Since when it is not what this session knows, by the clock of the machine. */
  since: number
}

/**
 * Knows which session changed which file last, and which has seen that. Sessions of one family (a session and its
 * sub-agents) are one. A change that somebody else has not seen is not overwritten without a question, and two calls
 * that change the same file do not run at once.
 */
export interface Collisions {
  /**
   * What a call that wants to change these paths would run into. It is what somebody is asked about, if anything, and
   * what comes later stops the call. Without a call nothing is remembered of it.
   */
  find(callId: string | null, sessionId: string, paths: readonly string[]): Collision[]
  /**
   * Which of these files are not what the session last saw, whoever did it: another process of ours, an editor, a command
   * of its own. The call is stopped by what changes after this.
   */
  stale(callId: string | null, sessionId: string, paths: readonly string[]): Stale[]
  /**
   * Right before a call changes these paths. Answers with what another session did since `find`, or does at this moment:
   * then the call must not run. Otherwise the paths are its own until `leave`.
   */
  enter(callId: string, sessionId: string, paths: readonly string[]): Collision[]
  /** The call has ended; what changed is its doing. */
  leave(callId: string): void
  /** Right before a call reads these paths; the function is for when it has. */
  reading(sessionId: string, paths: readonly string[]): () => void
  /**
   * A command of this session is known, after its end, to have changed these files. Answers with what it went over that
   * another session had changed and this one had not seen.
   */
  changed(callId: string, sessionId: string, paths: readonly string[]): (Collision & { sessionId: string })[]
  forget(callId: string): void
}

interface Written {
  family: string
  sessionId: string
  /** When, by our own count of events. */
  count: number
  /** Of the first change that not every session has seen. */
  since: number
}

interface Busy {
  began: number
  family: string
  sessionId: string
  paths: Map<string, string>
}

/** Files that are remembered; the ones that were changed longest ago are forgotten first. */
const mostFiles = 20_000
/** Calls whose end is remembered until their receipt is there. */
const mostEnds = 1_000

export function createCollisions(options: {
  /** The session that a sub-agent works for, or the session itself. */
  familyOf(sessionId: string): string
  now?: () => number
}): Collisions {
  const { now = Date.now } = options
  const known = new Map<string, string>()
  /** It never changes, and is asked for with every change. */
  const familyOf = (sessionId: string): string => {
    const family = known.get(sessionId) ?? options.familyOf(sessionId)
    known.set(sessionId, family)
    return family
  }
  /** By path, the latest change of each family. */
  const written = new Map<string, Map<string, Written>>()
  /** By family and path: the count at which it began to read what it last read, or to write. */
  const seen = new Map<string, number>()
  const sightings = createSightings(now)
  /** By call, the files that it names as they were when it was judged, and how many calls of its family had ended. */
  const judged = new Map<string, { ended: number; stamps: Map<string, string> }>()
  const endedCalls = new Map<string, number>()
  const busy = new Map<string, Busy>()
  const decided = new Map<string, number>()
  const ends = new Map<string, { at: number; began: number; known: boolean }>()
  let count = 0
  let families = new Set<string>()

  const keyOf = (family: string, path: string): string => `${family}\0${path}`

  const unseen = (family: string, path: string, after = seen.get(keyOf(family, path)) ?? -1) => {
    const others = [...(written.get(path)?.values() ?? [])].filter(
      (each) => each.family !== family && each.count > after,
    )
    const last = others.sort((a, b) => b.count - a.count)[0]
    return last ? [{ path, sessionId: last.sessionId, since: Math.min(...others.map(({ since }) => since)) }] : []
  }

  const note = (family: string, sessionId: string, path: string, at: number, began: number): void => {
    families.add(family)
    const all = written.get(path) ?? new Map<string, Written>()
    const before = all.get(family)
    // What others have not seen of this family began with its first change since they looked.
    const news = before && ![...families].every((each) => (seen.get(keyOf(each, path)) ?? -1) >= before.count)
    all.set(family, { family, sessionId, count: at, since: news ? before.since : began })
    written.delete(path)
    written.set(path, all)
    seen.set(keyOf(family, path), Math.max(at, seen.get(keyOf(family, path)) ?? -1))
    if (written.size <= mostFiles) return
    const oldest = written.keys().next().value
    if (oldest === undefined) return
    written.delete(oldest)
    families = new Set([...written.values()].flatMap((each) => [...each.keys()]))
  }

  /** By something that is no call of its family: those know of each other. */
  const changedSinceJudged = (callId: string, family: string, path: string): boolean => {
    const then = judged.get(callId)
    const stamp = then?.stamps.get(path)
    if (then === undefined || stamp === undefined || then.ended !== (endedCalls.get(family) ?? 0)) return false
    return stamp !== stampOf(path)
  }

  return {
    find: (callId, sessionId, paths) => {
      if (callId !== null) decided.set(callId, count)
      // Nobody else has changed anything, as nearly always.
      if (families.size === 0) return []
      const family = familyOf(sessionId)
      return paths.flatMap((path) => unseen(family, canonical(path)))
    },
    stale: (callId, sessionId, paths) => {
      const family = familyOf(sessionId)
      const real = [...new Set(paths.map(canonical))]
      const stamps = new Map(real.map((path) => [path, stampOf(path)]))
      if (callId !== null) judged.set(callId, { ended: endedCalls.get(family) ?? 0, stamps })
      for (const old of [...judged.keys()].slice(0, Math.max(0, judged.size - mostEnds))) judged.delete(old)
      return sightings.stale(family, real)
    },
    enter: (callId, sessionId, paths) => {
      if (paths.length === 0) {
        busy.set(callId, { began: now(), family: familyOf(sessionId), sessionId, paths: new Map() })
        return []
      }
      const family = familyOf(sessionId)
      const real = [...new Set(paths.map(canonical))]
      const after = decided.get(callId) ?? count
      const late = real.flatMap((path) => [
        ...unseen(family, path, Math.max(after, seen.get(keyOf(family, path)) ?? -1)),
        ...[...busy.values()]
          .filter((each) => each.family !== family && each.paths.has(path))
          .map((each) => ({ path, sessionId: each.sessionId, since: now() })),
        ...(changedSinceJudged(callId, family, path) ? [{ path, sessionId: null, since: now() }] : []),
      ])
      if (late.length > 0) return late
      busy.set(callId, { began: now(), family, sessionId, paths: new Map(real.map((path) => [path, stampOf(path)])) })
      return []
    },
    leave: (callId) => {
      const mine = busy.get(callId)
      busy.delete(callId)
      decided.delete(callId)
      judged.delete(callId)
      if (mine) endedCalls.set(mine.family, (endedCalls.get(mine.family) ?? 0) + 1)
      count += 1
      ends.delete(callId)
      ends.set(callId, { at: count, began: mine?.began ?? now(), known: (mine?.paths.size ?? 0) > 0 })
      for (const old of [...ends.keys()].slice(0, Math.max(0, ends.size - mostEnds))) ends.delete(old)
      for (const [path, before] of mine?.paths ?? []) {
        const stamp = stampOf(path)
        if (!mine || stamp === before) continue
        note(mine.family, mine.sessionId, path, count, mine.began)
        sightings.saw(mine.family, path, stamp)
      }
    },
    reading: (sessionId, paths) => {
      const family = familyOf(sessionId)
      sightings.begin(family)
      if (paths.length === 0) return () => {}
      const began = count
      // What changes while it is read counts as not seen.
      const stamps = new Map(paths.map(canonical).map((path) => [path, stampOf(path)]))
      return () => {
        for (const [real, stamp] of stamps) {
          sightings.saw(family, real, stamp)
          if (written.has(real)) seen.set(keyOf(family, real), Math.max(began, seen.get(keyOf(family, real)) ?? -1))
        }
      }
    },
    changed: (callId, sessionId, paths) => {
      const end = ends.get(callId)
      // A call that named its files was noted when it ended.
      if (end?.known) return []
      const family = familyOf(sessionId)
      const real = paths.map(canonical)
      const over = real.flatMap((path) => unseen(family, path))
      if (!end) count += 1
      for (const path of real) note(family, sessionId, path, end?.at ?? count, end?.began ?? now())
      return over
    },
    forget: (callId) => {
      busy.delete(callId)
      decided.delete(callId)
      judged.delete(callId)
    },
  }
}

/** Where it really is: two sessions may reach a file in different ways. What does not exist yet is named by its folder. */
function canonical(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    try {
      return join(realpathSync.native(dirname(path)), basename(path))
    } catch {
      return path
    }
  }
}
