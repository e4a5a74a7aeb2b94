import { expect, test } from 'vitest'
import { commands } from './commands'
import { conflictOf, keyLabels, matches, pressedKeys, type ShortcutId, shortcuts, windowShortcut } from './shortcuts'

const press = (key: string, held: string[] = []) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  shiftKey: held.includes('shift'),
  altKey: held.includes('alt'),
})

test('no two shortcuts of the same place share their keys', () => {
  const places = Object.values(shortcuts).map(({ where, keys }) => `${where} ${keys.toLowerCase()}`)
  expect(new Set(places).size).toBe(places.length)
})

test('every key that works anywhere has a command behind it', () => {
  const anywhere = (Object.keys(shortcuts) as ShortcutId[]).filter((id) => shortcuts[id].where === 'window')
  expect(anywhere.filter((id) => !commands.some((command) => command.shortcut === id))).toEqual([])
})

test('Mod is Cmd on a Mac and Ctrl elsewhere', () => {
  expect(windowShortcut(press('k', ['ctrl']), false)).toBe('palette')
  expect(windowShortcut(press('k', ['meta']), true)).toBe('palette')
  expect(windowShortcut(press('k', ['meta']), false)).toBe(null)
  expect(windowShortcut(press('k', ['ctrl']), true)).toBe(null)
})

test('modifiers must be exactly those that are named', () => {
  expect(matches('Mod+Enter', press('Enter', ['ctrl']), false)).toBe(true)
  expect(matches('Mod+Enter', press('Enter', ['ctrl', 'shift']), false)).toBe(false)
  expect(matches('Enter', press('Enter', ['shift']), false)).toBe(false)
  expect(matches('Mod+Shift+F', press('F', ['ctrl', 'shift']), false)).toBe(true)
})

test('a sign is matched whichever keys make it', () => {
  expect(matches('?', press('?', ['shift']), false)).toBe(true)
  expect(matches('?', press('?'), false)).toBe(true)
})

test('labels are those on the keyboard', () => {
  expect(keyLabels('allow-session', false)).toEqual(['Ctrl', 'Shift', 'Enter'])
  expect(keyLabels('palette', true)).toEqual(['⌘', 'K'])
})

test('what is pressed is written as a shortcut, and a conflict is named', () => {
  expect([
    pressedKeys(press('k', ['ctrl', 'shift']), false),
    pressedKeys(press('k', ['meta']), true),
    pressedKeys(press('?', ['shift']), false),
    pressedKeys(press('F6'), false),
    pressedKeys(press('Control', ['ctrl']), false),
  ]).toEqual(['Mod+Shift+K', 'Mod+K', '?', 'F6', null])
  expect(conflictOf('inbox', 'mod+k')).toBe('palette')
  expect(conflictOf('inbox', 'Mod+I')).toBe(null)
  // The same keys may mean something else elsewhere.
  expect(conflictOf('steer', 'Mod+Enter')).toBe(null)
})
