import type { Clock } from './types'

/** The longest that a timer of the engine can wait. */
const longestMs = 2 ** 31 - 1

export const realClock: Clock = {
  now: Date.now,
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, longestMs))
    // A job to come is no reason to keep a command line alive.
    timer.unref()
    return () => clearTimeout(timer)
  },
}
