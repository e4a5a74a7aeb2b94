import type { CastEvent } from '../../src-preload/contract/replay'

/** How many of the events, which are in order, have happened by a given time. */
export function appliedUntil(events: readonly CastEvent[], time: number): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((events[middle]?.[0] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low
}
