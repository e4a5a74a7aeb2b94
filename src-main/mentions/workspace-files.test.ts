import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkspaceFiles } from './workspace-files'

let folder: string
let time = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-mentions-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (...paths: string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), 'x')
  }
}
const found = async (query: string, files = createWorkspaceFiles(() => time)) =>
  (await files.find(folder, query)).map(({ path }) => path)

test('the best match comes first, and folders are found as well', async () => {
  put('src/app.ts', 'src/deep/apple.ts', 'docs/map.md', 'notes of mine.md', '.env', 'src/other.ts')
  expect(await found('app')).toEqual(['src/app.ts', 'src/deep/apple.ts'])
  expect(await found('ap')).toEqual(['src/app.ts', 'src/deep/apple.ts', 'docs/map.md'])
  expect(await found('src/')).toEqual(['src/', 'src/deep/', 'src/app.ts', 'src/other.ts', 'src/deep/apple.ts'])
  expect(await found('MINE')).toEqual(['notes of mine.md'])
  expect(await found('sdap')).toEqual(['src/deep/apple.ts'])
  expect(await found('.env')).toEqual(['.env'])
  expect(await found('nothing like it')).toEqual([])
})

test('without a word the folder itself is listed; what git ignores is not', async () => {
  put('.gitignore', 'a.txt', 'src/b.txt', 'node_modules/x/index.js', '.git/config')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  expect(await found('')).toEqual(['.gitignore', 'a.txt', 'src/'])
  expect(await found('index')).toEqual([])
})

test('one look serves for a while, then the folder is looked at again', async () => {
  put('one.txt')
  const files = createWorkspaceFiles(() => time)
  expect(await found('', files)).toEqual(['one.txt'])
  put('two.txt')
  expect(await found('', files)).toEqual(['one.txt'])
  time += 20_000
  expect(await found('', files)).toEqual(['one.txt', 'two.txt'])
})

test('a folder that is gone says so, and is looked at again later', async () => {
  const files = createWorkspaceFiles(() => time)
  const gone = join(folder, 'gone')
  await expect(files.find(gone, '')).rejects.toThrow()
  mkdirSync(gone)
  writeFileSync(join(gone, 'back.txt'), '')
  expect((await files.find(gone, '')).map(({ path }) => path)).toEqual(['back.txt'])
})
