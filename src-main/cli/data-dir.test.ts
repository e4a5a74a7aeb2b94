import { expect, test } from 'vitest'
import { appDataDir } from './data-dir'

test('the data is where each system keeps that of programs', () => {
  expect(appDataDir('linux', {}, '/home/me')).toBe('/home/me/.config/deckhand')
  expect(appDataDir('linux', { XDG_CONFIG_HOME: '/x' }, '/home/me')).toBe('/x/deckhand')
  expect(appDataDir('darwin', {}, '/Users/me')).toBe('/Users/me/Library/Application Support/deckhand')
  expect(appDataDir('win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\me')).toBe('D:\\Roaming\\deckhand')
  expect(appDataDir('win32', { APPDATA: '' }, 'C:\\Users\\me')).toBe('C:\\Users\\me\\AppData\\Roaming\\deckhand')
})
