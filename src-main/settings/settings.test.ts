import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultSettings, openSettings } from './settings'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = () => join(folder, 'settings.json')
const onDisk = () => JSON.parse(readFileSync(path(), 'utf8'))

test('starts with the defaults and writes nothing until something changes', () => {
  const settings = openSettings(folder)
  expect(settings.current()).toEqual(defaultSettings)
  expect(settings.notes).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('keeps a change, for the user alone, and reads it back', () => {
  openSettings(folder).update({ theme: 'dark', maxIterations: 7 })
  expect(openSettings(folder).current()).toEqual({ ...defaultSettings, theme: 'dark', maxIterations: 7 })
  expect(statSync(path()).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['settings.json'])
})

test('refuses a value that makes no sense, and changes nothing', () => {
  const settings = openSettings(folder)
  expect(() => settings.update({ maxIterations: -1 })).toThrow()
  expect(settings.current()).toEqual(defaultSettings)
})

test('a file that is no JSON is kept aside and told of', () => {
  writeFileSync(path(), '{ "theme": "dark", ')
  const settings = openSettings(folder, Date.UTC(2026, 0, 2, 3, 4, 5))
  expect(settings.current()).toEqual(defaultSettings)
  expect(settings.notes).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(['settings.broken-2026-01-02T03-04-05.json'])
  expect(readFileSync(join(folder, 'settings.broken-2026-01-02T03-04-05.json'), 'utf8')).toBe('{ "theme": "dark", ')
})

test('one bad value costs only itself; keys of another version stay', () => {
  writeFileSync(path(), JSON.stringify({ theme: 'purple', maxIterations: 5, future: { a: 1 } }))
  const settings = openSettings(folder)
  expect(settings.current()).toEqual({ ...defaultSettings, maxIterations: 5 })
  expect(settings.notes).toEqual(['The setting theme has a value that makes no sense, so its default is used.'])
  settings.update({ notifications: false })
  expect(onDisk()).toEqual({ theme: 'purple', maxIterations: 5, future: { a: 1 }, notifications: false })
})

test('a provider that cannot be read is left out, the others stay', () => {
  const good = { id: 'a', name: 'A', kind: 'openai', baseUrl: 'https://a.example/v1', models: [] }
  writeFileSync(path(), JSON.stringify({ providers: [good, { id: 'b', kind: 'telepathy' }] }))
  const settings = openSettings(folder)
  expect(settings.providers()).toEqual([good])
  expect(settings.notes).toHaveLength(1)
})
