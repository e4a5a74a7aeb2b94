import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, removeFolder } from '../test-folder'
import { createStamps, isUnchanged, type KnownFolder, readNames, unknownFolder } from './known-folders'
import { type ScanOptions, scan } from './scan'

let base: string
let root: string
let known: KnownFolder

beforeEach(() => {
  base = makeFolder('known')
  root = join(base, 'work')
  mkdirSync(root)
  known = unknownFolder(root)
})

afterEach(() => removeFolder(base))

const at = (path: string): string => join(root, path)
/** A clock for which nothing on the disk has changed for a while. */
const later = (): number => Date.now() + 60_000

const options = (more: Partial<ScanOptions> = {}): ScanOptions => ({
  maxEntries: 10_000,
  maxMs: 60_000,
  isSealed: (_, name) => name === 'node_modules',
  known,
  now: later,
  ...more,
})

/** A scan with known folders, compared with one without. */
const look = async (more?: Partial<ScanOptions>): Promise<string[]> => {
  const again = await scan(root, options(more))
  const { known: _, ...rest } = options(more)
  const anew = await scan(root, rest)
  expect(again).toEqual(anew)
  await tick()
  return [...again.entries.keys()].sort()
}

/** Waits until further changes on the disk get a later time than earlier ones. */
const tick = async (): Promise<void> => {
  const probe = join(base, 'probe')
  const stamp = (): bigint => {
    writeFileSync(probe, '')
    return lstatSync(probe, { bigint: true }).ctimeNs
  }
  for (const first = stamp(); stamp() - first < 1_000_000n; ) await sleep(1)
}

const folderAt = (path: string): KnownFolder => {
  let folder = known
  for (const part of path.split('/')) {
    const next = folder.children.find(({ name }) => name === part)?.folder
    if (!next) throw new Error(`${part} is not known`)
    folder = next
  }
  return folder
}

test.runIf(process.platform === 'linux')('a folder that has not changed is not listed again', async () => {
  mkdirSync(at('a/b'), { recursive: true })
  writeFileSync(at('a/b/file'), 'one')
  await look()
  const [top, a, b] = [known.children, folderAt('a').children, folderAt('a/b').children]
  writeFileSync(at('a/b/file'), 'changed')
  writeFileSync(at('a/new'), '')
  expect(await look()).toEqual(['a', 'a/b', 'a/b/file', 'a/new'])
  expect([known.children === top, folderAt('a').children === a, folderAt('a/b').children === b]).toEqual([
    true,
    false,
    true,
  ])
})

test('a folder that changed within two seconds before it was listed is listed again', async () => {
  mkdirSync(at('a'))
  const { ctimeMs } = lstatSync(at('a'))
  const stampAfter = (ms: number) => createStamps(root, () => ctimeMs + ms)(at('a'))
  expect([stampAfter(-5_000), stampAfter(0), stampAfter(1_999)]).toEqual([null, null, null])
  if (process.platform === 'linux') expect(stampAfter(2_001)).not.toBe(null)
  utimesSync(at('a'), new Date(), new Date(Date.now() + 3_600_000))
  expect(createStamps(root, later)(at('a'))).toBe(null)
  await look({ now: Date.now })
  expect([known.stamp, folderAt('a').stamp]).toEqual([null, null])
})

test('misses no name that is added or removed right after a look', async () => {
  mkdirSync(at('a'))
  for (let round = 0; round < 200; round++) {
    writeFileSync(at(`a/${round}`), '')
    if (round > 0) unlinkSync(at(`a/${round - 1}`))
    const { entries } = await scan(root, options({ now: Date.now }))
    expect([...entries.keys()]).toEqual(['a', `a/${round}`])
  }
})

test('a folder whose time was set back is listed again', async () => {
  mkdirSync(at('a'))
  const old = new Date(Date.now() - 1_000_000)
  utimesSync(at('a'), old, old)
  await look()
  const { mtimeNs } = lstatSync(at('a'), { bigint: true })
  writeFileSync(at('a/hidden'), '')
  utimesSync(at('a'), old, old)
  expect(lstatSync(at('a'), { bigint: true }).mtimeNs).toBe(mtimeNs)
  expect(await look()).toEqual(['a', 'a/hidden'])
})

test('another folder in the place of one is listed, with what is below it', async () => {
  const old = new Date(Date.now() - 1_000_000)
  for (const [place, file] of [
    [at('a'), 'mine'],
    [join(base, 'other'), 'theirs'],
  ] as const) {
    mkdirSync(join(place, 'sub'), { recursive: true })
    writeFileSync(join(place, 'sub', file), '')
    for (const each of [join(place, 'sub'), place]) utimesSync(each, old, old)
  }
  expect(await look()).toEqual(['a', 'a/sub', 'a/sub/mine'])
  renameSync(at('a'), join(base, 'away'))
  renameSync(join(base, 'other'), at('a'))
  expect(await look()).toEqual(['a', 'a/sub', 'a/sub/theirs'])
  renameSync(root, join(base, 'old-root'))
  mkdirSync(root)
  writeFileSync(at('only'), '')
  expect(await look()).toEqual(['only'])
})

test.runIf(process.platform === 'linux')('any difference in what a folder is counts as a change', () => {
  const stamp = createStamps(root, later)(root)
  if (!stamp) throw new Error('The temporary folder is on a disk that is not trusted')
  expect(isUnchanged({ ...known, stamp })).toBe(true)
  for (const key of ['dev', 'ino', 'mtimeNs', 'ctimeNs'] as const)
    expect(isUnchanged({ ...known, stamp: { ...stamp, [key]: stamp[key] - 1n } })).toBe(false)
  expect(isUnchanged({ ...known, place: at('gone'), stamp })).toBe(false)
})

test('sees folders that are deleted, and made again', async () => {
  mkdirSync(at('a/b'), { recursive: true })
  writeFileSync(at('a/b/file'), '')
  await look()
  rmSync(at('a/b'), { recursive: true })
  expect(await look()).toEqual(['a'])
  mkdirSync(at('a/b'))
  writeFileSync(at('a/b/other'), '')
  expect(await look()).toEqual(['a', 'a/b', 'a/b/other'])
  rmSync(at('a'), { recursive: true })
  expect(await look()).toEqual([])
  rmdirSync(root)
  expect(await look()).toEqual([])
  mkdirSync(at('a'), { recursive: true })
  expect(await look()).toEqual(['a'])
})

test('sees new folders in new folders, deep in a known one', async () => {
  mkdirSync(at('a/b'), { recursive: true })
  await look()
  mkdirSync(at('a/b/c/d'), { recursive: true })
  writeFileSync(at('a/b/c/d/file'), '')
  expect(await look()).toEqual(['a', 'a/b', 'a/b/c', 'a/b/c/d', 'a/b/c/d/file'])
  writeFileSync(at('a/b/c/d/second'), '')
  expect(await look()).toContain('a/b/c/d/second')
})

test('follows no link that takes the place of a known folder', async () => {
  mkdirSync(at('a/b'), { recursive: true })
  writeFileSync(at('a/b/file'), '')
  await look()
  renameSync(at('a/b'), join(base, 'b'))
  symlinkSync(join(base, 'b'), at('a/b'))
  expect(await look()).toEqual(['a', 'a/b'])
  unlinkSync(at('a/b'))
  writeFileSync(at('a/b'), 'now a file')
  expect(await look()).toEqual(['a', 'a/b'])
  unlinkSync(at('a/b'))
  renameSync(join(base, 'b'), at('a/b'))
  expect(await look()).toEqual(['a', 'a/b', 'a/b/file'])
})

test('a root that is a link is listed every time', async () => {
  renameSync(root, join(base, 'real'))
  symlinkSync(join(base, 'real'), root)
  expect(await look()).toEqual([])
  writeFileSync(at('file'), '')
  expect(await look()).toEqual(['file'])
})

test('nothing stays known of a folder that cannot be listed', async () => {
  mkdirSync(at('a'))
  writeFileSync(at('a/file'), '')
  await look()
  const folder = folderAt('a')
  rmSync(at('a'), { recursive: true })
  const stamp = { dev: 0n, ino: 0n, mtimeNs: 0n, ctimeNs: 0n }
  expect([readNames(folder, stamp), folder.stamp, folder.children]).toEqual([true, null, []])
  writeFileSync(at('a'), 'a file')
  expect([readNames(folder, stamp), folder.stamp, folder.children]).toEqual([false, null, []])
})

// Root can read everything.
test.skipIf(process.getuid?.() === 0)('a folder that may not be read is counted every time, until it may', async () => {
  mkdirSync(at('a'))
  writeFileSync(at('a/file'), '')
  await look()
  for (const mode of [0o000, 0o300]) {
    chmodSync(at('a'), mode)
    for (let round = 0; round < 2; round++) {
      expect(await look()).toEqual(['a'])
      expect((await scan(root, options())).unread).toBe(1)
    }
  }
  chmodSync(at('a'), 0o700)
  expect(await look()).toEqual(['a', 'a/file'])
})

test('keeps to the limits, and knows no more than they allow', async () => {
  for (const folder of ['near', 'far']) {
    mkdirSync(at(`${folder}/deep`), { recursive: true })
    for (let n = 0; n < 10; n++) writeFileSync(at(`${folder}/deep/${n}`), '')
  }
  expect(await look()).toHaveLength(24)
  const few = { maxEntries: 9 }
  expect(await look(few)).toHaveLength(9)
  const count = (folder: KnownFolder): number =>
    folder.children.reduce((sum, child) => sum + 1 + (child.folder ? count(child.folder) : 0), 0)
  expect(count(known)).toBeLessThanOrEqual(9)
  for (let n = 0; n < 10; n++) writeFileSync(at(`top-${n}`), '')
  expect(await look(few)).toHaveLength(9)
  for (let n = 0; n < 10; n++) unlinkSync(at(`top-${n}`))
  expect(await look()).toHaveLength(24)
})

test('a stopped look leaves nothing half known', async () => {
  for (let n = 0; n < 300; n++) {
    mkdirSync(at(`d${n}`))
    writeFileSync(at(`d${n}/file`), '')
  }
  await look()
  for (let n = 0; n < 300; n++) writeFileSync(at(`d${n}/second`), '')
  await scan(root, options({ maxMs: 0 }))
  await scan(root, options({ signal: AbortSignal.abort() })).catch(() => {})
  for (let n = 0; n < 300; n++) unlinkSync(at(`d${n}/file`))
  const found = await look()
  expect([found.length, existsSync(at('d7/file')), found.includes('d7/second')]).toEqual([600, false, true])
})

test('a sealed folder stays closed, and what is left out stays out', async () => {
  mkdirSync(at('node_modules/x'), { recursive: true })
  writeFileSync(at('left'), '')
  const more = { isLeftOut: (path: string) => path === 'left' }
  expect(await look(more)).toEqual(['node_modules'])
  mkdirSync(at('node_modules/y'))
  writeFileSync(at('right'), '')
  expect(await look(more)).toEqual(['node_modules', 'right'])
})
