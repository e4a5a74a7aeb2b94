import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from './database'
import { createStore } from './session/store'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-database-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const session = { workspace: '/w', model: 'guide', toolset: 'deckhand', mode: 'safe' } as const
const at = () => Date.UTC(2026, 0, 2, 3, 4, 5)

test('opens the same database again, in WAL with foreign keys', () => {
  const first = openDatabase(folder)
  const { id } = createStore(first).sessions.create(session)
  first.close()
  const second = openDatabase(folder)
  expect(
    createStore(second)
      .sessions.list()
      .map((each) => each.id),
  ).toEqual([id])
  expect(second.notes).toEqual([])
  expect(second.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(second.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 })
  expect(second.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 })
  second.close()
})

test.each([
  ['no database at all', () => Buffer.from('this is not a database, not even nearly so')],
  ['damaged inside', (whole: Buffer) => whole.fill(0x5a, 100, 8192)],
])('a file that is %s is kept aside', (_, damage) => {
  const path = join(folder, 'deckhand.db')
  const healthy = openDatabase(folder)
  createStore(healthy).sessions.create(session)
  healthy.close()
  const broken = damage(readFileSync(path))
  writeFileSync(path, broken)

  const database = openDatabase(folder, at)
  expect(database.notes).toEqual([expect.stringContaining('deckhand.db.broken-2026-01-02T03-04-05')])
  expect(createStore(database).sessions.list()).toEqual([])
  expect(createStore(database).sessions.create(session).title).toBe('New session')
  database.close()
  expect(readFileSync(`${path}.broken-2026-01-02T03-04-05`)).toEqual(broken)
})

test('leaves a database of a newer version alone', () => {
  openDatabase(folder).close()
  const newer = new DatabaseSync(join(folder, 'deckhand.db'))
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  expect(() => openDatabase(folder)).toThrow('newer version')
  expect(readdirSync(folder)).toEqual(['deckhand.db'])
})

test('a transaction is all or nothing, and may be nested', () => {
  const database = openDatabase(folder)
  const store = createStore(database)
  expect(() =>
    database.transaction(() => {
      database.transaction(() => store.sessions.create(session))
      throw new Error('changed my mind')
    }),
  ).toThrow('changed my mind')
  expect(store.sessions.list()).toEqual([])
  database.close()
})

test('backs up once a day, into a database that opens', async () => {
  let time = Date.now()
  const database = openDatabase(folder, () => time)
  const store = createStore(database)
  store.sessions.create(session)
  await database.backUp()
  store.sessions.create(session)
  await database.backUp()
  const count = () => {
    const copy = new DatabaseSync(join(folder, 'deckhand.backup.db'), { readOnly: true })
    const row = copy.prepare('SELECT count(*) AS n FROM sessions').get()
    copy.close()
    return row?.n
  }
  expect(count()).toBe(1)
  time += 25 * 60 * 60 * 1000
  await database.backUp()
  expect(count()).toBe(2)
  database.close()
})
