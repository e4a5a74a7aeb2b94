import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearTemporary } from './changes/clear-temporary'
import { makeTemporaryFolder, removeLeftFile, removeLeftFolders, temporaryName } from './temporary'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-temporary-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The name that a process which is gone by now would have used. */
const ofTheDead = (name: string): string => {
  const { pid } = spawnSync('true')
  return name.replace(`-${process.pid}-`, `-${pid}-`)
}

test('what a crash left beside edited files goes, at any depth; nothing else does', async () => {
  mkdirSync(join(folder, 'src/deep'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  const left = ofTheDead(temporaryName('app.ts'))
  const kept = [
    temporaryName('app.ts'),
    'app.ts',
    '.app.ts.tmp',
    'notes.tmp',
    '.app.ts.0123456789ab.tmp',
    left.slice(1),
    `${left}.txt`,
  ]
  for (const name of [left, ...kept]) writeFileSync(join(folder, 'src/deep', name), 'x')
  mkdirSync(join(folder, 'src', left))
  await clearTemporary(folder)
  expect(readdirSync(join(folder, 'src/deep')).sort()).toEqual(kept.sort())
  // A folder of that name is not what a write leaves.
  expect(existsSync(join(folder, 'src', left))).toBe(true)
})

test('a file of another machine on a shared disk is left alone', () => {
  const name = ofTheDead(temporaryName('a')).replace(/\.[0-9a-f]{6}-/, '.ffffff-')
  writeFileSync(join(folder, name), 'x')
  expect(removeLeftFile(folder, name)).toBe(false)
})

test('folders of crashed runs go, those of this run and of others stay', () => {
  const mine = makeTemporaryFolder('filter')
  const names = [ofTheDead(basename(mine)), 'deckhand-filter-abcdef', 'deckhand-report-x', 'deckhand-filter-']
  for (const name of [basename(mine), ...names]) mkdirSync(join(folder, name, 'inside'), { recursive: true })
  removeLeftFolders(folder)
  expect(readdirSync(folder).sort()).toEqual([basename(mine), ...names.slice(1)].sort())
  expect(dirname(mine)).toBe(tmpdir())
  rmSync(mine, { recursive: true })
})
