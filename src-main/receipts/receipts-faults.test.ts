import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../database'
import { silentLog } from '../log'
import { createStore } from '../session/store'
import { lockDatabase } from '../storage/test-lock'
import { createReceipts, type Receipts } from './receipts'

let base: string
let root: string
let database: Database
let receipts: Receipts
let sessionId: string
let notes: string[]
let calls = 0

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-receipt-faults-')))
  root = join(base, 'work')
  mkdirSync(root)
  for (let n = 0; n < 60; n++) writeFileSync(join(root, `file-${n}`), `${n} `.repeat(2000))
  database = openDatabase(join(base, 'data'))
  sessionId = createStore(database).sessions.create({
    workspace: root,
    model: 'm',
    toolset: 'deckhand',
    mode: 'safe',
  }).id
  notes = []
  receipts = make()
})

afterEach(async () => {
  await receipts.close()
  database.close()
  rmSync(base, { recursive: true })
})

const make = (): Receipts =>
  createReceipts({
    folder: join(base, 'data/receipts'),
    dataDir: join(base, 'data'),
    home: join(base, 'home'),
    database,
    owner: 'me',
    isAlive: () => true,
    table: { ofCall: () => [], wait: async () => 'exited', onExit: () => () => {} },
    isLocal: () => true,
    isSecret: () => false,
    publish: () => {},
    note: (text) => notes.push(text),
    log: silentLog,
  })

/** A call that changes a file, from the first look to its receipt. */
const change = async (text: string): Promise<string> => {
  const callId = `c_${++calls}`
  receipts.prepare({ workspace: root, node: 'local' })
  const ended = await receipts.begin({ callId, sessionId, workspace: root, gist: 'edit', node: 'local', paths: null })
  writeFileSync(join(root, 'file-1'), text)
  ended()
  await receipts.settled()
  return callId
}

const images = (): string => join(base, 'data/receipts/images.db')

const damages: [name: string, damage: () => void][] = [
  ['garbage', () => writeFileSync(images(), 'garbage '.repeat(5000))],
  ['a damaged header', () => writeFileSync(images(), readFileSync(images()).fill(0x5a, 0, 100))],
  ['a damaged first page', () => writeFileSync(images(), readFileSync(images()).fill(0x5a, 100, 4096))],
  ['damaged pages in the middle', () => writeFileSync(images(), readFileSync(images()).fill(0x5a, 8192, 90_000))],
  ['cut short', () => truncateSync(images(), 50_000)],
  [
    'a folder',
    () => {
      rmSync(images())
      mkdirSync(join(images(), 'inside'), { recursive: true })
    },
  ],
  [
    'its folder a file',
    () => {
      rmSync(join(base, 'data/receipts'), { recursive: true })
      writeFileSync(join(base, 'data/receipts'), 'in the way')
    },
  ],
]

test.each(damages)(
  'images.db is %s: calls go on, it is told of once, and later calls can be undone',
  async (_, damage) => {
    await change('first')
    await receipts.close()
    damage()
    receipts = make()
    await change('second')
    const third = await change('third')
    expect(notes.length).toBeLessThanOrEqual(1)
    expect(notes.join()).toMatch(/^$|could not be read, so earlier changes cannot be undone. It is now in .*\.broken/)
    expect(await receipts.undo(third, 'undo', false)).toMatchObject({ done: ['file-1'], left: [] })
    expect(readFileSync(join(root, 'file-1'), 'utf8')).toBe('second')
    expect(receipts.kept().bytes).toBeGreaterThan(0)
  },
)

test('damage while Deckhand runs is noticed at the next call', async () => {
  const first = await change('first')
  // Past what SQLite has in memory.
  for (const suffix of ['', '-wal']) writeFileSync(images() + suffix, 'garbage '.repeat(50_000))
  await change('second')
  const third = await change('third')
  expect(notes.length).toBeLessThanOrEqual(1)
  expect(await receipts.preview(first, 'undo')).toEqual([expect.objectContaining({ path: 'file-1' })])
  expect(await receipts.undo(third, 'undo', false)).toMatchObject({ done: ['file-1'] })
})

test('what cannot be kept says so on the receipt, and the call runs', async () => {
  await change('first')
  const holder = await lockDatabase(images())
  const locked = await change('second')
  await holder.release()
  expect(receipts.get(locked)?.notes).toEqual([
    'This call cannot be undone. The contents of files could not be kept: another program has locked them.',
  ])
  expect(readFileSync(join(root, 'file-1'), 'utf8')).toBe('second')
  expect(receipts.get(await change('third'))?.notes).toEqual([])
})
