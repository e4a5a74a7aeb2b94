import { expect, test } from 'vitest'
import type { KeyPress } from '../state/shortcuts'
import { paneKey } from './keys'

const press = (key: string, mods = ''): KeyPress => ({
  key,
  ctrlKey: mods.includes('C'),
  shiftKey: mods.includes('S'),
  altKey: mods.includes('A'),
  metaKey: mods.includes('M'),
})
const running = { running: true, mac: false }

test('the program keeps plain keys and Ctrl with a letter', () => {
  const plain = ['a', '?', 'Escape', 'Tab', 'Enter', 'F5'].map((key) => press(key))
  const control = ['c', 'v', 'f', 'k', 'n', 'p', 'b', 'j', 'l'].map((key) => press(key, 'C'))
  expect([...plain, ...control].filter((key) => paneKey(key, running) !== null)).toEqual([])
})

test('Ctrl+Shift belongs to the pane and to the window', () => {
  const keys = [
    press('C', 'CS'),
    press('V', 'CS'),
    press('G', 'CS'),
    press('Escape', 'CS'),
    press('Home', 'CS'),
    press('A', 'CS'),
    press('F6'),
  ]
  expect(keys.map((key) => paneKey(key, running))).toEqual([
    'copy',
    'paste',
    'search',
    'leave',
    'to-top',
    'window',
    'window',
  ])
})

test('the font follows Ctrl with plus, minus and zero', () => {
  const keys = [press('+', 'CS'), press('=', 'C'), press('-', 'C'), press('0', 'C')]
  expect(keys.map((key) => paneKey(key, running))).toEqual(['larger', 'larger', 'smaller', 'reset-size'])
})

test('where nothing runs, Ctrl+F finds text', () => {
  expect(paneKey(press('f', 'C'), { running: false, mac: false })).toBe('search')
})

test('a Mac leaves Ctrl to the program', () => {
  const mac = { running: true, mac: true }
  expect(
    [press('C', 'MS'), press('f', 'M'), press('k', 'M'), press('c', 'C'), press('k', 'C')].map((key) =>
      paneKey(key, mac),
    ),
  ).toEqual(['copy', 'search', 'window', null, null])
})
