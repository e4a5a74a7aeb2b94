import type { Clock } from './types'

/** The longest delay that `setTimeout` supports. */
const longestMs = 2 ** 31 - 1

export const realClock: Clock = {
  now: Date.now,
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, longestMs))
    // A future job must not keep a command-line process alive.
    timer.unref()
    return () => clearTimeout(timer)
  },
}
