import { expect, it } from 'vitest'
import { keySequence, UnknownKey } from './key-names'

it.each([
  ['Enter', '\r'],
  ['C-c', '\x03'],
  ['C-C', '\x03'],
  ['^C', '\x03'],
  ['C-d', '\x04'],
  ['C-\\', '\x1c'],
  ['C-Space', '\0'],
  ['C-[', '\x1b'],
  ['C-?', '\x7f'],
  ['M-x', '\x1bx'],
  ['C-M-a', '\x1b\x01'],
  ['M-Enter', '\x1b\r'],
  ['Up', '\x1b[A'],
  ['down', '\x1b[B'],
  ['C-Left', '\x1b[1;5D'],
  ['S-Up', '\x1b[1;2A'],
  ['C-M-S-End', '\x1b[1;8F'],
  ['Tab', '\t'],
  ['S-Tab', '\x1b[Z'],
  ['BTab', '\x1b[Z'],
  ['Escape', '\x1b'],
  ['BSpace', '\x7f'],
  ['DC', '\x1b[3~'],
  ['PPage', '\x1b[5~'],
  ['F1', '\x1bOP'],
  ['F12', '\x1b[24~'],
  ['q', 'q'],
  ['S-q', 'Q'],
  ['^', '^'],
  ['-', '-'],
  ['😀', '😀'],
])('%s', (key, sequence) => {
  expect(keySequence(key)).toBe(sequence)
})

it.each(['', 'C-', 'Entr', 'hello', 'C-Enter', 'C-é', 'constructor'])('refuses %j', (key) => {
  expect(() => keySequence(key)).toThrow(UnknownKey)
})
