/** What remains of a long pause. */
const pauseMs = 1500
/** Events are shown with this much time before and after them. */
const marginMs = 1000

export type Span = readonly [from: number, to: number]

/**
 * The time of a session without its long pauses: positions start at 0 and grow as fast as time, except in those pauses.
 */
interface Timeline {
  length: number
  timeAt(position: number): number
  positionOf(time: number): number
  /** The real length of the pause that a position is in; 0 outside of pauses. */
  pauseAt(position: number): number
}

export function createTimeline(start: number, end: number, active: readonly Span[]): Timeline {
  const parts = partsOf(start, Math.max(start, end), active)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const partAt = (position: number) => parts.findLast((part) => part.position <= position) ?? parts[0]
  return {
    length,
    timeAt(position) {
      const part = partAt(position)
      if (!part) return start
      const share = part.length === 0 ? 0 : Math.min(1, Math.max(0, position - part.position) / part.length)
      return part.from + share * (part.to - part.from)
    },
    positionOf(time) {
      const part = parts.findLast(({ from }) => from <= time) ?? parts[0]
      if (!part) return 0
      const share = part.to === part.from ? 0 : Math.min(1, Math.max(0, (time - part.from) / (part.to - part.from)))
      return part.position + share * part.length
    },
    pauseAt(position) {
      const part = partAt(position)
      return part && part.to - part.from > part.length ? part.to - part.from : 0
    },
  }
}

interface Part {
  from: number
  to: number
  position: number
  length: number
}

function partsOf(start: number, end: number, active: readonly Span[]): Part[] {
  const parts: Part[] = []
  const add = (from: number, to: number, length: number) => {
    const last = parts.at(-1)
    if (to > from) parts.push({ from, to, position: last ? last.position + last.length : 0, length })
  }
  let reached = start
  for (const [from, to] of [...active].sort((a, b) => a[0] - b[0])) {
    const begin = Math.max(reached, Math.min(from - marginMs, end))
    const pause = begin - reached
    if (pause > pauseMs) add(reached, begin, pauseMs)
    else add(reached, begin, pause)
    const until = Math.min(end, Math.max(begin, to + marginMs))
    add(begin, until, until - begin)
    reached = Math.max(reached, until)
  }
  add(reached, end, Math.min(end - reached, pauseMs))
  return parts
}
