import { expect, test } from 'vitest'
import { firstCharacters, lastCharacters } from './characters'

test('counts characters, not bytes or halves of pairs', () => {
  expect(firstCharacters('añ🚢b', 3)).toEqual({ text: 'añ🚢', whole: false })
  expect(firstCharacters('🚢🚢', 2)).toEqual({ text: '🚢🚢', whole: true })
  expect(lastCharacters('añ🚢b', 2)).toEqual({ text: '🚢b', dropped: 2 })
  expect(lastCharacters('🚢🚢', 2)).toEqual({ text: '🚢🚢', dropped: 0 })
})

test('leaves what is short enough as it is', () => {
  expect(firstCharacters('', 5)).toEqual({ text: '', whole: true })
  expect(firstCharacters('12345', 5)).toEqual({ text: '12345', whole: true })
  expect(lastCharacters('12345', 5)).toEqual({ text: '12345', dropped: 0 })
})
