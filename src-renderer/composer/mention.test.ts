import { expect, test } from 'vitest'
import { mentionAt, mentioned, replaceMention } from './mention'

test.each([
  ['@', 1, { from: 0, to: 1, word: '' }],
  ['look at @src/a', 14, { from: 8, to: 14, word: 'src/a' }],
  ['look at @src/a and', 14, { from: 8, to: 14, word: 'src/a' }],
  ['(@a', 3, { from: 1, to: 3, word: 'a' }],
  ['@"my fi', 7, { from: 0, to: 7, word: 'my fi' }],
  ['a@b.example', 11, null],
  ['look at @src and', 16, null],
  ['', 0, null],
])('the mention in %j at %i', (text, caret, found) => {
  expect(mentionAt(text, caret)).toEqual(found)
})

test('what is chosen takes its place, with one space behind it', () => {
  const text = 'see @ap, please'
  const mention = mentionAt(text, 7)
  if (!mention) throw new Error('no mention')
  expect(replaceMention(text, mention, `${mentioned('src/app.ts')} `)).toEqual({
    text: 'see @src/app.ts , please',
    caret: 16,
  })
  expect(replaceMention('@a b', { from: 0, to: 2, word: 'a' }, '@all ')).toEqual({ text: '@all b', caret: 4 })
  expect(mentioned('my notes.md')).toBe('@"my notes.md"')
})
