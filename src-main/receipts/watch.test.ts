import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretReason } from '../approval/paths/secret-paths'
import { makeFolder, removeFolder } from '../test-folder'
import { type ImageStore, openImageStore } from './image-store'
import { type Limits, sealedFolders, usualLimits } from './limits'
import { createWatch, type Look } from './watch'

let base: string
let root: string
let store: ImageStore

beforeEach(() => {
  base = makeFolder('watch')
  root = join(base, 'work')
  mkdirSync(root)
  store = openImageStore(join(base, 'data'), Date.now)
})

afterEach(() => {
  store.close()
  removeFolder(base)
})

const at = (path: string): string => join(root, path)
const watch = (limits: Partial<Limits> = {}, now = Date.now) =>
  createWatch({
    root,
    store,
    limits: { ...usualLimits, keepMs: 60_000, scanMs: 60_000, ...limits },
    isSealed: sealedFolders(root, join(base, 'home'), join(base, 'data')),
    isSecret: (path) => secretReason(path) !== null,
    now,
  })

const sketch = ({ changes }: Look): string[] =>
  changes.map(({ path, before, after }) => `${before ? (after ? '~' : '-') : '+'} ${path}`)

test('sees what a command did, without git: new, changed and deleted files, folders, links, modes, bytes', async () => {
  writeFileSync(at('kept'), 'same')
  writeFileSync(at('edited'), 'before')
  writeFileSync(at('gone'), 'was here')
  writeFileSync(at('script'), '#!/bin/sh', { mode: 0o644 })
  writeFileSync(at('binary'), Buffer.from([0, 1, 2, 255]))
  symlinkSync('edited', at('link'))
  const watching = watch()
  expect((await watching.look()).changes).toEqual([])
  execFileSync(
    'sh',
    [
      '-c',
      'echo more >> edited; rm gone; chmod +x script; printf "\\000\\377" > binary; ln -sfn /etc link; mkdir -p empty/inner; echo new > fresh; touch kept',
    ],
    { cwd: root },
  )
  const found = await watching.look()
  expect(sketch(found)).toEqual([
    '~ binary',
    '~ edited',
    '+ empty',
    '+ empty/inner',
    '+ fresh',
    '- gone',
    '~ link',
    '~ script',
  ])
  const edited = found.changes.find(({ path }) => path === 'edited')
  expect(store.read(edited?.before?.hash ?? '')?.toString()).toBe('before')
  expect(store.read(edited?.after?.hash ?? '')?.toString()).toBe('beforemore\n')
  expect(found.changes.find(({ path }) => path === 'link')).toMatchObject({
    before: { target: 'edited' },
    after: { target: '/etc' },
  })
  expect((await watching.look()).changes).toEqual([])
})

test('reads again what may have been written twice within one tick of the clock', async () => {
  writeFileSync(at('a'), 'one')
  const stamp = statSync(at('a'))
  const watching = watch()
  await watching.look()
  writeFileSync(at('a'), 'two')
  utimesSync(at('a'), stamp.atime, stamp.mtime)
  expect(sketch(await watching.look())).toEqual(['~ a'])
})

test('a file that is replaced by one of the same size and age is seen', async () => {
  writeFileSync(at('a'), 'one')
  writeFileSync(join(base, 'b'), 'two')
  const stamp = new Date(Date.now() - 100_000)
  for (const path of [at('a'), join(base, 'b')]) utimesSync(path, stamp, stamp)
  const watching = watch()
  await watching.look()
  await new Promise((resolve) => setTimeout(resolve, 80))
  await watching.look()
  renameSync(join(base, 'b'), at('a'))
  expect(sketch(await watching.look())).toEqual(['~ a'])
})

test('folders that it does not list again hide nothing: files, times set back, replaced, deleted and new folders', async () => {
  for (const folder of ['quiet', 'set-back', 'replaced/sub', 'deleted/sub', 'deep/known'])
    mkdirSync(at(folder), { recursive: true })
  for (const path of ['quiet/edited', 'quiet/kept', 'replaced/sub/mine', 'deleted/sub/gone'])
    writeFileSync(at(path), '')
  mkdirSync(join(base, 'other/sub'), { recursive: true })
  writeFileSync(join(base, 'other/sub/theirs'), '')
  const old = new Date(Date.now() - 100_000)
  utimesSync(at('set-back'), old, old)
  const watching = watch({}, () => Date.now() + 60_000)
  await watching.look()
  expect((await watching.look()).changes).toEqual([])
  await new Promise((resolve) => setTimeout(resolve, 80))
  writeFileSync(at('quiet/edited'), 'longer')
  writeFileSync(at('set-back/new'), '')
  utimesSync(at('set-back'), old, old)
  renameSync(at('replaced'), join(base, 'away'))
  renameSync(join(base, 'other'), at('replaced'))
  rmSync(at('deleted'), { recursive: true })
  mkdirSync(at('deep/known/new/newer'), { recursive: true })
  writeFileSync(at('deep/known/new/newer/file'), '')
  expect(sketch(await watching.look())).toEqual([
    '+ deep/known/new',
    '+ deep/known/new/newer',
    '+ deep/known/new/newer/file',
    '- deleted',
    '- deleted/sub',
    '- deleted/sub/gone',
    '~ quiet/edited',
    '- replaced/sub/mine',
    '+ replaced/sub/theirs',
    '+ set-back/new',
  ])
  expect((await watching.look()).changes).toEqual([])
})

test('follows no link out of the workspace', async () => {
  mkdirSync(join(base, 'outside'))
  writeFileSync(join(base, 'outside/far'), 'far')
  symlinkSync(join(base, 'outside'), at('away'))
  const watching = watch()
  await watching.look()
  writeFileSync(join(base, 'outside/far'), 'changed')
  expect((await watching.look()).changes).toEqual([])
  expect((await watching.look(['away/far'])).changes).toEqual([])
})

test('what looks secret is seen to change and never kept', async () => {
  writeFileSync(at('.env'), 'TOKEN=hunter2hunter2')
  mkdirSync(at('.ssh'))
  writeFileSync(at('.ssh/id_rsa'), 'PRIVATE hunter2hunter2')
  const watching = watch()
  await watching.look()
  writeFileSync(at('.env'), 'TOKEN=other-hunter2')
  const { changes } = await watching.look()
  expect(changes).toMatchObject([{ path: '.env', before: { unkept: 'secret' }, after: { unkept: 'secret' } }])
  expect(changes[0]?.before).not.toHaveProperty('hash')
  const grep = (text: string) =>
    readdirSync(join(base, 'data')).filter((name) => execFileSync('cat', [join(base, 'data', name)]).includes(text))
  expect(grep('hunter2')).toEqual([])
  writeFileSync(at('plain'), 'an ordinary word: marmalade')
  await watching.look()
  expect(grep('marmalade')).not.toEqual([])
})

test('only the user can read what is kept', () => {
  expect(statSync(join(base, 'data')).mode & 0o077).toBe(0)
  expect(statSync(join(base, 'data/images.db')).mode & 0o077).toBe(0)
})

test('says what it does not keep: large files, too much at once, and folders that tools make', async () => {
  writeFileSync(at('.gitignore'), '# made\nout\n/dist/\n*.log\n!kept\n')
  for (const folder of ['node_modules/x', 'out', 'dist']) {
    mkdirSync(at(folder), { recursive: true })
    writeFileSync(at(`${folder}/made`), 'made')
  }
  writeFileSync(at('large'), 'x'.repeat(300))
  writeFileSync(at('small'), 'x'.repeat(90))
  writeFileSync(at('too-much'), 'x'.repeat(90))
  const watching = watch({ maxFileBytes: 200, maxWorkspaceBytes: 130 })
  await watching.look()
  execFileSync(
    'sh',
    [
      '-c',
      'for f in large small too-much; do echo y > $f; done; rm -r out; touch node_modules/new; echo z > dist/made',
    ],
    {
      cwd: root,
    },
  )
  const { changes } = await watching.look()
  expect(Object.fromEntries(changes.map(({ path, before }) => [path, before?.unkept ?? 'kept']))).toEqual({
    large: 'large',
    node_modules: 'sealed',
    out: 'sealed',
    small: 'kept',
    'too-much': 'full',
  })
})

test('of the whole machine, what is no file of anybody’s stays unread; of a home, what is hidden', () => {
  const machine = sealedFolders('/', '/home/me', '/data')
  expect(['proc', 'sys', 'dev', 'run', 'etc'].filter((name) => machine(name, name))).toEqual([
    'proc',
    'sys',
    'dev',
    'run',
  ])
  const home = sealedFolders('/home/me', '/home/me', '/home/me/data')
  expect(['.config', 'work', 'data'].filter((name) => home(name, name))).toEqual(['.config', 'data'])
  expect(home('work/.github', '.github')).toBe(false)
})

test('watches the nearest files of a large folder, says so, and tells no tales of the rest', async () => {
  mkdirSync(at('deep'))
  for (let n = 0; n < 30; n++) writeFileSync(at(`deep/${n}`), '')
  for (let n = 0; n < 10; n++) writeFileSync(at(`near-${n}`), 'near')
  const watching = watch({ maxEntries: 20 })
  expect((await watching.look()).notes).toEqual([
    'The workspace has more than 20 files: only the first 20 are watched.',
  ])
  await new Promise((resolve) => setTimeout(resolve, 20))
  rmSync(at('near-3'))
  writeFileSync(at('near-4'), 'changed')
  expect(sketch(await watching.look())).toEqual(['- near-3', '~ near-4'])
})

test('looks at single paths, the folders that lead there, and everything below a folder', async () => {
  mkdirSync(at('tree/deep'), { recursive: true })
  writeFileSync(at('tree/deep/leaf'), 'leaf')
  const watching = watch()
  await watching.look(['new/place/file', 'tree'])
  mkdirSync(at('new/place'), { recursive: true })
  writeFileSync(at('new/place/file'), 'file')
  writeFileSync(at('elsewhere'), '')
  rmSync(at('tree'), { recursive: true })
  expect(sketch(await watching.look(['new/place/file', 'tree']))).toEqual([
    '+ new',
    '+ new/place',
    '+ new/place/file',
    '- tree',
    '- tree/deep',
    '- tree/deep/leaf',
  ])
})

test('remembers from one run to the next, so that only what is new is read', async () => {
  writeFileSync(at('a'), 'first')
  chmodSync(at('a'), 0o640)
  await watch().look()
  writeFileSync(at('a'), 'second')
  writeFileSync(at('b'), 'b')
  const { changes } = await watch().look()
  expect(changes.map(({ path, before }) => [path, before && store.read(before.hash ?? '')?.toString()])).toEqual([
    ['a', 'first'],
    ['b', null],
  ])
})

test('a look at ten thousand files that are as they were costs little more than find does', async () => {
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(at(`d${folder}`))
    for (let file = 0; file < 100; file++) writeFileSync(at(`d${folder}/f${file}.ts`), `file ${folder} ${file}`)
  }
  const watching = watch()
  await watching.look()
  const times = { look: Number.POSITIVE_INFINITY, find: Number.POSITIVE_INFINITY }
  const fastest = async (name: keyof typeof times, work: () => unknown): Promise<void> => {
    const began = performance.now()
    await work()
    times[name] = Math.min(times[name], performance.now() - began)
  }
  for (let round = 0; round < 5; round++) {
    await fastest('find', () => execFileSync('find', [root, '-printf', '%p %s %m %T@ %C@ %i\n']))
    await fastest('look', () => watching.look())
  }
  expect(times.look / times.find).toBeLessThan(10)
})
