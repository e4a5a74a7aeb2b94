import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../database'
import { createStore } from '../session/store'
import { recover } from './recover'

let folder: string
let said: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-recover-'))
  said = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said += text
      return true
    })
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const path = (name: string): string => join(folder, name)

const recovered = async (...flags: string[]): Promise<string> => {
  said = ''
  expect(await recover(new Map([['data', folder], ...flags.map((flag) => [flag, ''] as const)]))).toBe(0)
  return said
}

const titles = (): string[] => {
  const database = openDatabase(folder)
  const found = createStore(database)
    .sessions.list()
    .map(({ title }) => title)
  database.close()
  return found
}

const addSession = (title: string): void => {
  const database = openDatabase(folder)
  const store = createStore(database)
  const { id } = store.sessions.create({ workspace: '/w', model: 'guide', toolset: 'deckhand', mode: 'safe', title })
  store.messages.append({ sessionId: id, role: 'user', parts: [{ type: 'text', text: 'Hello' }] })
  database.close()
}

test('a folder without a backup has nothing to bring back', async () => {
  expect(await recovered()).toContain('No backup found')
})

test('what the backup has is told first, and brought back when that is asked for', async () => {
  addSession('Kept')
  copyFileSync(path('deckhand.db'), path('deckhand.backup.db'))
  // Everything after the first page is lost, as on a failing disk.
  writeFileSync(path('deckhand.db'), 'SQLite format 3\0'.padEnd(4096, 'x'))
  const told = await recovered()
  expect(told).toMatch(/The backup of .* has 1 session and 1 message that are missing\. Run again with --yes/)
  expect(titles()).toEqual([])
  expect(await recovered('yes')).toMatch(/Restored from the backup of .*: 1 session and 1 message\./)
  expect(titles()).toEqual(['Kept'])
  expect(await recovered()).toContain('No backup found')
})
