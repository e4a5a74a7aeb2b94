import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from './database'
import { isOnNetwork } from './network-folder'
import { migrations } from './schema'
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

test('a folder in the place of the database is kept under another name, and told of', () => {
  const path = join(folder, 'deckhand.db')
  mkdirSync(path)
  writeFileSync(join(path, 'inside'), '')
  const database = openDatabase(folder, () => Date.UTC(2026, 0, 2, 3, 4, 5))
  database.close()
  const keptAs = `${path}.broken-2026-01-02T03-04-05`
  expect(database.notes).toEqual([`${path} should be a file. What was there is now ${keptAs}.`])
  expect(readdirSync(keptAs)).toEqual(['inside'])
})

test('a data folder on a network share gets no write-ahead log, and works', () => {
  const shared = openDatabase(folder, at, () => true)
  expect(shared.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' })
  expect(shared.notes).toEqual([expect.stringContaining('network share')])
  const { id } = shared.durably(() => createStore(shared).sessions.create(session))
  expect(shared.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  shared.close()
  const local = openDatabase(folder, at, () => false)
  expect(createStore(local).sessions.find(id)).not.toBeNull()
  expect(local.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  local.close()
})

test.runIf(process.platform === 'linux')('knows a share from a disk', () => {
  expect([0x6969, 0xff534d42, -0xacb2be].map((type) => isOnNetwork(folder, () => type))).toEqual([true, true, true])
  expect([0xef53, 0x9123683e, 0x01021994].map((type) => isOnNetwork(folder, () => type))).toEqual([false, false, false])
  expect(isOnNetwork(folder)).toBe(false)
  expect(isOnNetwork('/no/such/folder')).toBe(false)
})

/** Saves sessions until the disk refuses, and tells what was saved and what was said then. */
const savesUntilRefused = (vite: string, here: string, data: string): string => `
  const { runnerImport } = await import(${JSON.stringify(vite)})
  const load = async (file) => (await runnerImport(file, { configFile: false, logLevel: 'error' })).module
  const { openDatabase } = await load(${JSON.stringify(join(here, 'database.ts'))})
  const { createStore } = await load(${JSON.stringify(join(here, 'session/store.ts'))})
  const database = openDatabase(${JSON.stringify(data)})
  const { sessions } = createStore(database)
  const attempt = () => {
    try {
      const wish = { workspace: 'w'.repeat(2000), model: 'm', toolset: 'deckhand', mode: 'safe' }
      database.durably(() => sessions.create(wish))
    } catch (error) {
      return error.message
    }
  }
  let saved = 0
  let first
  while (!(first = attempt()) && saved < 10000) saved++
  console.log(JSON.stringify({ saved, first, second: attempt(), readable: sessions.list().length }))`

test.runIf(process.platform !== 'win32')('after a write that the disk refused nothing is pretended', () => {
  const vite = join(import.meta.dirname, '../node_modules/vite/dist/node/index.js')
  // A process that may write only so much to a file has a disk that refuses; without the trap it would be ended instead.
  const limited = `trap '' XFSZ; ulimit -f 1200; exec "$0" --input-type=module -e "$1"`
  const program = savesUntilRefused(vite, import.meta.dirname, folder)
  const { stdout, stderr } = spawnSync('bash', ['-c', limited, process.execPath, program], {
    encoding: 'utf8',
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  const told = JSON.parse(stdout || JSON.stringify({ stderr })) as { saved: number; readable: number }
  expect(told).toMatchObject({
    first: `The disk that holds ${folder} is full: nothing more could be saved.`,
    second: `The disk that holds ${folder} is full: nothing more could be saved.`,
    readable: told.saved,
  })
  expect(told.saved).toBeGreaterThan(0)
  const database = openDatabase(folder)
  expect(createStore(database).sessions.list()).toHaveLength(told.saved)
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
})

test('a migration that is cut short leaves the old version whole', () => {
  const path = join(folder, 'deckhand.db')
  const killed = `
    import { DatabaseSync } from 'node:sqlite'
    const sqlite = new DatabaseSync(process.argv[1])
    sqlite.exec('PRAGMA journal_mode = WAL')
    const steps = JSON.parse(process.argv[2])
    sqlite.exec('BEGIN IMMEDIATE')
    for (const step of steps.slice(0, Number(process.argv[3]))) sqlite.exec(step)
    sqlite.exec('PRAGMA user_version = ' + process.argv[3])
    process.kill(process.pid, 'SIGKILL')`
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  for (const steps of [1, Math.ceil(migrations.length / 2), migrations.length]) {
    const args = ['--input-type=module', '-e', killed, path, JSON.stringify(migrations), String(steps)]
    expect(spawnSync(process.execPath, args, { env }).signal).toBe('SIGKILL')
    const left = new DatabaseSync(path)
    expect(left.prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 })
    left.close()
  }
  const database = openDatabase(folder)
  expect(createStore(database).sessions.create(session).title).toBe('New session')
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length })
  database.close()
})

test('a question that was open across an update keeps its offer to try the command', () => {
  const renames = migrations.findIndex((step) => step.includes('$.question.rehearsal'))
  const old = new DatabaseSync(join(folder, 'deckhand.db'))
  for (const step of migrations.slice(0, renames)) old.exec(step)
  old.exec(`PRAGMA user_version = ${renames}; PRAGMA foreign_keys = OFF`)
  const offered = { status: 'offered', limits: ['It cannot show what happens elsewhere.'] }
  const save = old.prepare(
    `INSERT INTO calls (id, session_id, message_id, position, provider_id, name, arguments, status, state, created_at)
     VALUES (?, 's', 'm', 0, 'p', 'Bash', '{}', 'awaiting', ?, 1)`,
  )
  save.run('old', JSON.stringify({ status: 'awaiting', question: { id: 'q', rehearsal: offered } }))
  save.run('plain', JSON.stringify({ status: 'awaiting', question: { id: 'r' } }))
  save.run('damaged', '{')
  old.close()
  const database = openDatabase(folder)
  const states = database.prepare<{ id: string; state: string }>('SELECT id, state FROM calls ORDER BY id').all()
  expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
    damaged: '{',
    old: JSON.stringify({ status: 'awaiting', question: { id: 'q', trial: offered } }),
    plain: JSON.stringify({ status: 'awaiting', question: { id: 'r' } }),
  })
  database.close()
})
