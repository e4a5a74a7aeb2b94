import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDatabase } from '../storage/test-lock'
import type { Receipts } from './receipts'
import { makeTestFolder, type TestFolder } from './test-folder'

let folder: TestFolder
let root: string
let receipts: Receipts
let sessionId: string
let notes: string[]
let calls = 0

beforeEach(() => {
  folder = makeTestFolder('receipt-faults')
  ;({ root, sessionId } = folder)
  for (let n = 0; n < 60; n++) writeFileSync(join(root, `file-${n}`), `${n} `.repeat(2000))
  notes = []
  receipts = make()
})

afterEach(async () => {
  await receipts.close()
  folder.close()
})

const make = (): Receipts => folder.openReceipts({ isAlive: () => true, note: (text) => notes.push(text) })

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

const images = (): string => join(folder.data, 'receipts/images.db')

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
    'a pipe',
    () => {
      rmSync(images())
      execFileSync('mkfifo', [images()])
    },
  ],
  [
    'its folder a file',
    () => {
      rmSync(join(folder.data, 'receipts'), { recursive: true })
      writeFileSync(join(folder.data, 'receipts'), 'in the way')
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
  // More than SQLite has cached.
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
