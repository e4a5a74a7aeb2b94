import { hash } from 'node:crypto'
import { readProcessFile } from '../process-alive'

/**
 * Every program that the app starts on Linux carries a number in its resource limit for file locks, which kernels have
 * ignored since 2.4.25. Its descendants inherit that number, even through `setsid`, a double fork, an empty
 * environment, another user or a sandbox, so they can be found and ended long after their parents are gone.
 */
export const LOCKS_LIMIT = 10
const limitName = 'Max file locks'
/** Only the soft limit is set, so that an app started from a terminal of the app can set its own marks. */
const base = 2 ** 48

/** A program's mark is asked for when it starts, when it ends, and at every look for survivors. */
const known = new Map<string, number>()
const mostKnown = 1000

export function markOf(id: string): number {
  const before = known.get(id)
  if (before !== undefined) return before
  if (known.size >= mostKnown) known.clear()
  const mark = base + hash('sha256', id, 'buffer').readUIntBE(0, 6)
  known.set(id, mark)
  return mark
}

/** The mark of a process; null if it has none, has ended, or the system does not tell. */
export function markOn(pid: number | 'self'): number | null {
  const text = readProcessFile(pid, 'limits') ?? ''
  const start = text.indexOf(limitName)
  const mark = start === -1 ? Number.NaN : Number.parseInt(text.slice(start + limitName.length), 10)
  return mark >= base ? mark : null
}
