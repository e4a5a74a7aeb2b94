import { expect, test } from 'vitest'
import { bytes, duration, folderName, money, relativeTime, snippetPieces, tokens, visible } from './format'

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [4200, '4.2 s'],
  [59_000, '59 s'],
  [192_000, '3 min 12 s'],
  [7_500_000, '2 h 5 min'],
])('%i ms reads %s', (ms, words) => expect(duration(ms)).toBe(words))

test('sizes, tokens and sums are short', () => {
  expect([bytes(12), bytes(4820), bytes(52_000_000)]).toEqual(['12 B', '4.8 kB', '52 MB'])
  expect([tokens(950), tokens(53_800), tokens(1_200_000)]).toEqual(['950', '54k', '1.2M'])
  expect([money(0), money(0.004), money(1.239)]).toEqual(['$0', '<$0.01', '$1.24'])
})

test('times are relative for a day, then dates', () => {
  const now = new Date(2026, 10, 16, 12).getTime()
  expect(relativeTime(now - 20_000, now)).toBe('just now')
  expect(relativeTime(now - 300_000, now)).toBe('5 min ago')
  expect(relativeTime(now - 3 * 3_600_000, now)).toBe('3 h ago')
  expect(relativeTime(new Date(2026, 2, 4).getTime(), now)).toBe('Mar 4')
  expect(relativeTime(new Date(2024, 2, 4).getTime(), now)).toBe('Mar 4, 2024')
})

test('a snippet falls into pieces at its marks', () => {
  expect(snippetPieces('the \u0002upload\u0003 test and \u0002uploads')).toEqual([
    { text: 'the ', hit: false },
    { text: 'upload', hit: true },
    { text: ' test and ', hit: false },
    { text: 'uploads', hit: true },
  ])
})

test('characters that hide or reorder others are spelled out', () => {
  expect(visible('\u202egnp.exe')).toBe('⟨U+202E⟩gnp.exe')
  expect(visible('a\u200bb\tc\nd')).toBe('a⟨U+200B⟩b\tc\nd')
})

test('a folder goes by its last name', () => {
  expect([folderName('/home/ann/harbour/'), folderName('C:\\work\\app'), folderName('/')]).toEqual([
    'harbour',
    'app',
    '/',
  ])
})
