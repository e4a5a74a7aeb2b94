import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Entry } from '../changes/scan'
import { type ImageStore, openImageStore, type Seen, setImagesAside } from './image-store'

let folder: string
let store: ImageStore
let now: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-images-'))
  now = 1_000
  store = openImageStore(folder, () => now)
})

afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

const entry: Entry = { kind: 'file', mode: 0o644, size: 1, mtimeMs: 1.5, ctimeMs: 2.5, ino: 3 }
const seen = (hash: string): Seen => ({ entry, fresh: false, image: { kind: 'file', mode: 0o644, size: 1, hash } })
const everything = { before: 0, maxBytes: 1e9 }

test('gives back what it was given, whatever the bytes, and keeps the same content once', () => {
  const contents = [Buffer.alloc(0), Buffer.from('short'), Buffer.from('long '.repeat(5000)), randomBytes(20_000)]
  const hashes = contents.map(store.keep)
  expect(hashes.map(store.read)).toEqual(contents)
  const bytes = store.bytes()
  expect(bytes).toBeLessThan(21_000)
  for (const content of contents) store.keep(content)
  expect(store.bytes()).toBe(bytes)
  expect(store.read('0'.repeat(64))).toBe(null)
})

test('a damaged image is no image', () => {
  const hash = store.keep(Buffer.from('as it was'))
  const other = new DatabaseSync(join(folder, 'images.db'))
  other.prepare('UPDATE images SET data = ?').run(Buffer.from('as it was not'))
  other.close()
  expect(store.read(hash)).toBe(null)
})

test('knows of a workspace once all of it was seen', () => {
  store.begin('/w')
  store.remember('/w', [['a', seen('x')]])
  expect(store.load('/w')).toBe(null)
  store.finish('/w')
  expect(store.load('/w')).toEqual(new Map([['a', seen('x')]]))
  store.remember('/w', [
    ['a', null],
    ['b', seen('y')],
  ])
  expect([...(store.load('/w')?.keys() ?? [])]).toEqual(['b'])
})

test('drops what nobody refers to, and keeps what a receipt or the next command needs', () => {
  const [used, watched, free] = ['used', 'watched', 'free'].map((text) => store.keep(Buffer.from(text))) as [
    string,
    string,
    string,
  ]
  store.begin('/w')
  store.remember('/w', [['a', seen(watched)]])
  store.finish('/w')
  store.sweep({ ...everything, inUse: new Set([used]) })
  expect([used, watched, free].map((hash) => store.read(hash)?.toString())).toEqual(['used', 'watched', undefined])
})

test('forgets a workspace that was not used for long', () => {
  const hash = store.keep(Buffer.from('old'))
  store.begin('/w')
  store.remember('/w', [['a', seen(hash)]])
  store.finish('/w')
  now = 5_000
  store.sweep({ inUse: new Set(), before: 4_000, maxBytes: 1e9 })
  expect([store.load('/w'), store.read(hash)]).toEqual([null, null])
})

test('beyond its size the oldest goes first, and using a content again makes it young', () => {
  const contents = [1, 2, 3].map((fill) => Buffer.alloc(1000, fill))
  const hashes = contents.map((content) => {
    now += 1
    return store.keep(content)
  })
  now += 1
  store.keep(contents[0] as Buffer)
  store.sweep({ before: 0, maxBytes: 2000, inUse: new Set(hashes) })
  expect(hashes.map((hash) => store.read(hash) !== null)).toEqual([true, false, true])
  expect(store.grown()).toBe(0)
})

test('a store that cannot be read is put out of the way, and only the latest is kept', () => {
  store.close()
  const path = join(folder, 'images.db')
  for (const words of ['no database', 'none either']) {
    writeFileSync(path, words.repeat(1000))
    expect(() => openImageStore(folder, () => now)).toThrow()
    expect(setImagesAside(folder)).toBe(`${path}.broken`)
    store = openImageStore(folder, () => now)
    expect(store.bytes()).toBe(0)
    store.close()
  }
  expect(readFileSync(`${path}.broken`, 'utf8')).toContain('none either')
  expect(statSync(path).mode & 0o077).toBe(0)
  store = openImageStore(folder, () => now)
})
