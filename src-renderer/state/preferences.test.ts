import { expect, test, vi } from 'vitest'
import { loadPreferences, savePreferences } from './preferences'

const storage = () => {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  }
}

test('what was saved is found again', () => {
  const store = storage()
  const left = {
    selectedId: 's',
    sidebarOpen: false,
    deckOpen: true,
    widths: { side: 300, deck: 50 },
    drafts: { s: 'hi' },
    wrapCode: true,
  }
  savePreferences(store, left)
  expect(loadPreferences(store)).toEqual(left)
})

test('a broken record falls back to the usual layout and says so', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  expect(loadPreferences({ getItem: () => '{' }).sidebarOpen).toBe(true)
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})
