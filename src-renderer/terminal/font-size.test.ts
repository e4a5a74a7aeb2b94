import { expect, test } from 'vitest'
import { nextFontSize } from './font-size'

test('steps lead to whole sizes and stay within bounds', () => {
  expect([nextFontSize(12.5, 'larger'), nextFontSize(12.5, 'smaller'), nextFontSize(13, 'larger')]).toEqual([
    13, 12, 14,
  ])
  expect([nextFontSize(32, 'larger'), nextFontSize(8, 'smaller'), nextFontSize(20, 'reset-size')]).toEqual([32, 8, 13])
})
