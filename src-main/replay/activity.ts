/** Joins moments that are no further apart than this into one span of activity. */
const joinMs = 1000

/** Spans in which something happened, from moments in any order. */
export function spansOf(moments: readonly number[]): [from: number, to: number][] {
  const spans: [number, number][] = []
  for (const moment of [...moments].sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last && moment - last[1] <= joinMs) last[1] = moment
    else spans.push([moment, moment])
  }
  return spans
}
