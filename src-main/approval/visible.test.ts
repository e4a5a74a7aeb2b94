import { expect, test } from 'vitest'
import { findInvisible, hasInvisible, makeVisible, withoutInvisible } from './visible'

test.each([
  ['ls \u202etxt', 'ls ⟨U+202E⟩txt'],
  ['l\u200bs', 'l⟨U+200B⟩s'],
  ['a\u0000b', 'a⟨U+0000⟩b'],
  ['a\u001b[2Kb', 'a⟨U+001B⟩[2Kb'],
  ['a\rb', 'a⟨U+000D⟩b'],
  ['a\u00a0b', 'a⟨U+00A0⟩b'],
  ['a\u3000b', 'a⟨U+3000⟩b'],
  ['a\u2028b', 'a⟨U+2028⟩b'],
  ['\ufeffls', '⟨U+FEFF⟩ls'],
  ['a\u{e0041}b', 'a⟨U+E0041⟩b'],
  ['a\u{e0101}b', 'a⟨U+E0101⟩b'],
  ['a\ufe0fb', 'a⟨U+FE0F⟩b'],
  ['a\u00adb', 'a⟨U+00AD⟩b'],
  ['a\u3164b', 'a⟨U+3164⟩b'],
  ['a\u2066b', 'a⟨U+2066⟩b'],
  ['a\ud800b', 'a⟨U+D800⟩b'],
  ['a\u034fb', 'a⟨U+034F⟩b'],
])('%j is shown as %s', (text, shown) => {
  expect(makeVisible(text)).toBe(shown)
  expect(hasInvisible(text)).toBe(true)
  expect(hasInvisible(withoutInvisible(text))).toBe(false)
})

test.each(['ls -la', 'имя файла', '日本語', 'naïve café', 'a\tb\nc', '😀', 'e\u0301'])('%j stays as it is', (text) => {
  expect(makeVisible(text)).toBe(text)
  expect(hasInvisible(text)).toBe(false)
})

test('says where they are', () => {
  expect(findInvisible('a\u200bb\u{e0041}')).toEqual([
    { index: 1, name: 'U+200B' },
    { index: 3, name: 'U+E0041' },
  ])
})
