import { expect, test } from 'vitest'
import { durationMs } from './duration'

test('reads a number with its unit', () => {
  expect(['250ms', '30s', '10m', '1h', '2d', '500', '1.5s', ' 3 S '].map(durationMs)).toEqual([
    250, 30_000, 600_000, 3_600_000, 172_800_000, 500_000, 1500, 3000,
  ])
})

test('takes nothing else for a duration', () => {
  expect(['', 's', '-1s', '5 weeks', '1h30m', 'constructor', '1e3', '٣s'].map(durationMs)).toEqual(
    Array.from({ length: 8 }, () => null),
  )
})
