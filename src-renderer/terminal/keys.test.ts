import { expect, test } from 'vitest'
import { type Key, paneKey } from './keys'

const press = (key: string, mods = '', code = ''): Key => ({
  key,
  code,
  ctrlKey: mods.includes('C'),
  shiftKey: mods.includes('S'),
  altKey: mods.includes('A'),
  metaKey: mods.includes('M'),
})
const running = { running: true, mac: false }

test('the program keeps plain keys and Ctrl with a letter', () => {
  const keys = [
    press('c', 'C'),
    press('v', 'C'),
    press('f', 'C'),
    press('k', 'C'),
    press('a'),
    press('Escape'),
    press('Tab'),
  ]
  expect(keys.map((key) => paneKey(key, running))).toEqual([null, null, null, null, null, null, null])
})

test('Ctrl+Shift belongs to the pane and to the window', () => {
  const keys = [
    press('C', 'CS'),
    press('V', 'CS'),
    press('F', 'CS'),
    press('Escape', 'CS'),
    press('ArrowDown', 'CS', 'ArrowDown'),
  ]
  expect(keys.map((key) => paneKey(key, running))).toEqual(['copy', 'paste', 'search', 'leave', 'next-pane'])
  expect(paneKey(press('P', 'CS'), running)).toBe('window')
  expect(paneKey(press('F6'), running)).toBe('window')
})

test('the font follows Ctrl with plus, minus and zero', () => {
  const keys = [press('+', 'CS'), press('=', 'C'), press('-', 'C'), press('0', 'C')]
  expect(keys.map((key) => paneKey(key, running))).toEqual(['larger', 'larger', 'smaller', 'reset-size'])
})

test('where nothing runs, Ctrl+F finds text', () => {
  expect(paneKey(press('f', 'C'), { running: false, mac: false })).toBe('search')
})

test('a Mac uses the command key, and leaves Ctrl to the program', () => {
  const mac = { running: true, mac: true }
  expect([press('c', 'M'), press('v', 'M'), press('c', 'C')].map((key) => paneKey(key, mac))).toEqual([
    'copy',
    'paste',
    null,
  ])
})
