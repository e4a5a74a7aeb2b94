import { expect, test } from 'vitest'
import { numberError } from './number-setting'

test('a number within its bounds is fine, anything else is told why not', () => {
  const bounds = { min: 1, max: 100, whole: true }
  expect(['1', '100', ' 20 '].map((text) => numberError(text, bounds))).toEqual([undefined, undefined, undefined])
  expect(['', 'many', '1e999'].map((text) => numberError(text, bounds))).toEqual(Array(3).fill('Enter a number.'))
  expect([numberError('0', bounds), numberError('2.5', bounds)]).toEqual([
    'Enter a number from 1 to 100.',
    'Enter a whole number.',
  ])
})
