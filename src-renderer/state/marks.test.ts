import { expect, test } from 'vitest'
import { createMarkLimit, drawable, hasPile, pilesOf } from './marks'

const marks = (count: number) => '\u0301'.repeat(count)
const longest = (text: string) => Math.max(0, ...[...text.matchAll(/\p{M}+/gu)].map(([run]) => run.length))

test('ordinary text, also of scripts with many marks, is drawn as it is', () => {
  const texts = [
    'plain',
    'déjà vu',
    'e\u0301t',
    'ก็้',
    'བོད་སྐད',
    'हिन्दी',
    '👩‍👩‍👧‍👦',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    `e${marks(8)}`,
  ]
  expect(texts.map(drawable)).toEqual(texts)
  expect(texts.some(hasPile)).toBe(false)
})

test('a letter with 200,000 marks is drawn with a few, and says so', () => {
  const shown = drawable(`rm e${marks(200_000)}x`)
  expect(shown).toBe(`rm e${marks(8)}⟨199,992 combining marks hidden⟩x`)
  expect(drawable(`e${marks(9)}`)).toBe(`e${marks(8)}⟨1 combining mark hidden⟩`)
  expect(longest(drawable(`a${marks(100)}b${'\u200d\u0301'.repeat(5000)}`))).toBeLessThan(9)
})

test('pieces put together are the text', () => {
  const text = `a${marks(300)}b${marks(20)}c${marks(3)}`
  const pieces = pilesOf(text)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.filter(({ hidden }) => hidden).map((piece) => piece.text.length)).toEqual([292, 12])
})

test('output in pieces is limited across them, and nothing else is lost', () => {
  const limit = createMarkLimit()
  const out = ['abe', marks(10), marks(100), `${marks(50)}x`, `${marks(3)}y\n`, 'plain', marks(20)].map(limit).join('')
  expect(out).toBe(`abe${marks(8)}x${marks(3)}y\nplain${marks(8)}`)
})
