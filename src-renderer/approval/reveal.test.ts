import { expect, test } from 'vitest'
import { deceptive, reveal } from './reveal'

const shown = (text: string) =>
  reveal(text)
    .map((segment) =>
      segment.kind === 'plain' ? segment.text : segment.kind === 'lookalike' ? `[${segment.text}]` : segment.label,
    )
    .join('')

test('an ordinary command is one plain stretch, lines and all', () => {
  const command = "git commit -m 'Füße, 漢字, déjà vu' && \\\n  echo done"
  expect(reveal(command)).toEqual([{ kind: 'plain', text: command }])
})

test('characters that reverse, hide or erase text are named', () => {
  expect(shown('rm \u202etxt.exe\u202c')).toBe('rm ⟨U+202E⟩txt.exe⟨U+202C⟩')
  expect(shown('ls\u200b -la\u00a0x\ufeff')).toBe('ls⟨U+200B⟩ -la⟨U+00A0⟩x⟨U+FEFF⟩')
  expect(shown('echo hi\r\x1b[2Krm x\x00\x7f\x9b')).toBe('echo hi⟨U+000D⟩⟨U+001B⟩[2Krm x⟨U+0000⟩⟨U+007F⟩⟨U+009B⟩')
})

test('tags, selectors, fillers, wide spaces and half pairs do not pass unseen', () => {
  const sneaky = [
    '\u{e0041}',
    '\ufe0f',
    '\u{e0100}',
    '\u3164',
    '\u2800',
    '\u3000',
    '\u2028',
    '\ud800',
    '\u00ad',
    '\u2062',
    '\ue000',
  ]
  expect(sneaky.filter((character) => reveal(`a${character}b`).every((segment) => segment.kind !== 'hidden'))).toEqual(
    [],
  )
})

test('a foreign letter amid Latin ones is marked, a foreign word is not', () => {
  expect(shown('curl https://gіthub.com')).toBe('curl https://g[і]thub.com')
  expect(shown('echo привет')).toBe('echo привет')
})

test('nothing of the text is lost', () => {
  const text = 'a\u202eb\tc\u{1f469}\u200d\u{1f680}\ud800d'
  expect(
    reveal(text)
      .map((segment) => segment.text)
      .join(''),
  ).toBe(text)
})

test('a pile of marks on a letter is told by its number, and all of it counts', () => {
  const command = `echo e${'\u0301'.repeat(200_000)} done`
  expect(shown(command)).toBe(`echo e${'\u0301'.repeat(8)}⟨199,992 combining marks hidden⟩ done`)
  expect(deceptive(command)).toBe(199_992)
})

test('so many hidden characters that each cannot be an element are spelled out in one piece', () => {
  const command = `ls ${'\u202e \u00ad'.repeat(20_000)} end`
  const segments = reveal(command)
  expect(segments.length).toBeLessThan(1100)
  expect(segments.map((segment) => segment.text).join('')).toBe(command)
  expect(shown(command)).toBe(`ls ${'⟨U+202E⟩ ⟨U+00AD⟩'.repeat(20_000)} end`)
  expect(deceptive(command)).toBe(40_000)
})

test('tabs are shown but do not count as deceptive', () => {
  expect(shown('\techo')).toBe('⟨U+0009⟩echo')
  expect(deceptive('\techo')).toBe(0)
  expect(deceptive('a\u202eb')).toBe(1)
})
