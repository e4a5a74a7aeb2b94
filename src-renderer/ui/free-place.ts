export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const margin = 16
const step = 8

/**
 * Where a floating element covers no controls: as close to the lower right corner as possible, preferring higher up to
 * further left. If there is no such place, the one that covers the least.
 */
export function freePlace(
  { width, height }: Pick<Box, 'width' | 'height'>,
  window: Pick<Box, 'width' | 'height'>,
  taken: Box[],
) {
  const lowest = window.height - height - margin
  const lefts = [window.width - width - margin, (window.width - width) / 2, margin]
  let best = { left: lefts[0] ?? margin, top: lowest, covered: Number.POSITIVE_INFINITY }
  for (const left of lefts)
    for (let top = lowest; top >= margin; top -= step) {
      const covered = taken.reduce((sum, box) => sum + overlap({ left, top, width, height }, box), 0)
      if (covered < best.covered) best = { left, top, covered }
      if (covered === 0) return best
    }
  return best
}

export function overlap(one: Box, other: Box): number {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  return Math.max(0, width) * Math.max(0, height)
}
