import { expect, test } from 'vitest'
import { createTimeline } from './timeline'

test('time passes as it did, except in long pauses', () => {
  const timeline = createTimeline(0, 100_000, [
    [0, 4000],
    [3000, 5000],
    [60_000, 61_000],
  ])
  expect(timeline.timeAt(0)).toBe(0)
  expect(timeline.timeAt(3000)).toBe(3000)
  expect(timeline.pauseAt(3000)).toBe(0)
  // From 6 s to 59 s nothing happened.
  expect(timeline.pauseAt(6500)).toBe(53_000)
  expect(timeline.timeAt(7500)).toBe(59_000)
  expect(timeline.timeAt(timeline.length)).toBe(100_000)
  expect(timeline.length).toBe(6000 + 1500 + 3000 + 1500)
  for (const time of [0, 2500, 5999, 30_000, 59_000, 60_500, 99_999])
    expect(timeline.timeAt(timeline.positionOf(time))).toBeCloseTo(time, 3)
})

test('a session in which nothing happened has no length', () => {
  expect(createTimeline(5, 5, []).length).toBe(0)
  expect(createTimeline(5, 5, []).timeAt(3)).toBe(5)
  expect(createTimeline(5, 1, [[5, 5]]).timeAt(1)).toBe(5)
})
