import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diffEntries } from './diff'
import { type Current, hashOf, look, put } from './put'
import { entryAt, type ScanOptions, scan } from './scan'

let root: string
let outside: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-changes-'))
  outside = mkdtempSync(join(tmpdir(), 'deckhand-outside-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
  rmSync(outside, { recursive: true })
})

const all: ScanOptions = { maxEntries: 10_000, maxMs: 60_000, isSealed: (_, name) => name === 'node_modules' }
const anyway = (): boolean => true
const holds = (text: string) => async (now: Current) => {
  const image = await now.read()
  return image?.kind === 'file' && hashOf(image.data) === hashOf(Buffer.from(text))
}

test('tells files, links, folders and modes apart, and follows no link', async () => {
  writeFileSync(join(root, 'a.txt'), 'a')
  mkdirSync(join(root, 'empty'))
  mkdirSync(join(root, 'deep/er'), { recursive: true })
  writeFileSync(join(root, 'deep/er/run.sh'), '#!/bin/sh')
  chmodSync(join(root, 'deep/er/run.sh'), 0o750)
  writeFileSync(join(outside, 'far.txt'), 'far')
  symlinkSync(outside, join(root, 'away'))
  const { entries, cut, unread } = await scan(root, all)
  expect([...entries].map(([path, { kind }]) => `${path} ${kind}`).sort()).toEqual([
    'a.txt file',
    'away link',
    'deep folder',
    'deep/er folder',
    'deep/er/run.sh file',
    'empty folder',
  ])
  expect([entries.get('deep/er/run.sh')?.mode, cut, unread]).toEqual([0o750, null, 0])
})

test('says what came, went and differs, empty folders and modes included', async () => {
  writeFileSync(join(root, 'kept'), 'k')
  writeFileSync(join(root, 'edited'), 'before')
  writeFileSync(join(root, 'gone'), 'g')
  writeFileSync(join(root, 'opened'), 'o', { mode: 0o600 })
  const before = await scan(root, all)
  writeFileSync(join(root, 'edited'), 'after that')
  rmSync(join(root, 'gone'))
  chmodSync(join(root, 'opened'), 0o644)
  mkdirSync(join(root, 'new'))
  const after = await scan(root, all)
  expect(
    diffEntries(before.entries, after.entries).map(({ path, before: then, after: now }) => [path, !!then, !!now]),
  ).toEqual([
    ['edited', true, true],
    ['gone', true, false],
    ['new', false, true],
    ['opened', true, true],
  ])
})

test('looks at a sealed folder from outside, and still sees that it changed', async () => {
  mkdirSync(join(root, 'node_modules/left'), { recursive: true })
  const before = await scan(root, all)
  expect([...before.entries.keys()]).toEqual(['node_modules'])
  mkdirSync(join(root, 'node_modules/right'))
  const after = await scan(root, all)
  expect(diffEntries(before.entries, after.entries).map(({ path }) => path)).toEqual(['node_modules'])
})

test('cuts the depths when there is too much, and says so', async () => {
  mkdirSync(join(root, 'deep'))
  for (let n = 0; n < 20; n++) writeFileSync(join(root, `deep/${n}`), '')
  for (let n = 0; n < 5; n++) writeFileSync(join(root, `near-${n}`), '')
  const { entries, cut } = await scan(root, { ...all, maxEntries: 10 })
  expect([entries.size, cut]).toEqual([10, 'count'])
  expect([...entries.keys()].filter((path) => path.startsWith('near'))).toHaveLength(5)
  expect((await scan(root, { ...all, maxEntries: 26 })).cut).toBe(null)
})

test('puts back files with their mode, links and folders', async () => {
  expect(await put(root, 'a/b/c.bin', { kind: 'file', mode: 0o755, data: Buffer.from([0, 255, 10]) }, anyway)).toBe(
    'done',
  )
  expect(await put(root, 'link', { kind: 'link', target: '../nowhere' }, anyway)).toBe('done')
  expect(await put(root, 'empty', { kind: 'folder', mode: 0o700 }, anyway)).toBe('done')
  expect(readFileSync(join(root, 'a/b/c.bin'))).toEqual(Buffer.from([0, 255, 10]))
  expect(entryAt(join(root, 'a/b/c.bin'))?.mode).toBe(0o755)
  expect(readlinkSync(join(root, 'link'))).toBe('../nowhere')
  expect(entryAt(join(root, 'empty'))).toMatchObject({ kind: 'folder', mode: 0o700 })
  expect(await look(root, 'link')).toMatchObject({ image: { kind: 'link', target: '../nowhere' } })
})

test('touches nothing that is not what it was', async () => {
  writeFileSync(join(root, 'a.txt'), 'later edit')
  const image = { kind: 'file', mode: 0o644, data: Buffer.from('old') } as const
  expect(await put(root, 'a.txt', image, holds('as it was'))).toBe('changed')
  expect(await put(root, 'a.txt', null, holds('as it was'))).toBe('changed')
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('later edit')
  expect(await put(root, 'a.txt', image, holds('later edit'))).toBe('done')
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old')
  expect(await put(root, 'not/there/yet', image, holds('something'))).toBe('changed')
  expect(entryAt(join(root, 'not'))).toBe(null)
})

test('removes a folder only when nothing is in it', async () => {
  mkdirSync(join(root, 'made'))
  writeFileSync(join(root, 'made/by-hand'), '')
  expect(await put(root, 'made', null, anyway)).toBe('not-empty')
  expect(await put(root, 'made', { kind: 'file', mode: 0o644, data: Buffer.from('') }, anyway)).toBe('not-empty')
  rmSync(join(root, 'made/by-hand'))
  expect(await put(root, 'made', null, anyway)).toBe('done')
  expect(await put(root, 'made', null, anyway)).toBe('done')
})

test('goes through no link, whatever has become of the way', async () => {
  writeFileSync(join(outside, 'precious'), 'precious')
  symlinkSync(outside, join(root, 'sub'))
  const image = { kind: 'file', mode: 0o644, data: Buffer.from('overwritten') } as const
  expect(await put(root, 'sub/precious', image, anyway)).toBe('no-way')
  expect(await put(root, 'sub/precious', null, anyway)).toBe('no-way')
  expect(await put(root, '../escape', image, anyway)).toBe('no-way')
  expect(await look(root, 'sub/precious')).toBe('no-way')
  expect(await look(root, 'nowhere/at/all')).toEqual({ entry: null, image: null })
  expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('precious')
})

test('replaces a link itself, never what it points to', async () => {
  writeFileSync(join(outside, 'precious'), 'precious')
  symlinkSync(join(outside, 'precious'), join(root, 'a.txt'))
  expect(await put(root, 'a.txt', { kind: 'file', mode: 0o644, data: Buffer.from('mine') }, anyway)).toBe('done')
  expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('precious')
  expect(entryAt(join(root, 'a.txt'))?.kind).toBe('file')
})
