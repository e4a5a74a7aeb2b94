import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretReason } from '../approval/paths/secret-paths'
import { gitIn } from '../test-folder'
import { isLeftOut } from './git-parts'
import type { Receipts } from './receipts'
import { makeTestFolder, type TestFolder } from './test-folder'

let folder: TestFolder
let root: string
let receipts: Receipts
let sessionId: string
let calls = 0

const git = (...args: string[]): string => gitIn(root, folder.home, args)
const write = (name: string, text: string): void => writeFileSync(join(root, name), text)

beforeEach(() => {
  folder = makeTestFolder('git-receipts')
  ;({ root, sessionId } = folder)
  receipts = folder.openReceipts({ isSecret: (path) => secretReason(path) !== null })
  git('init', '-q', '-b', 'main')
  write('a.txt', 'one\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
  write('a.txt', 'two\n')
  git('commit', '-qam', 'second')
})
afterEach(async () => {
  await receipts.close()
  folder.close()
})

/** Runs git as a call of the agent, and returns how to undo it. */
async function recorded(...commands: string[][]): Promise<{ paths: string[]; undo: () => Promise<unknown> }> {
  const callId = `call-${++calls}`
  const end = await receipts.begin({ callId, sessionId, node: 'local', workspace: root, gist: 'git', paths: null })
  for (const command of commands) git(...command)
  end()
  await receipts.settled()
  const paths = (receipts.get(callId)?.files ?? []).map(({ path }) => path)
  return { paths, undo: () => receipts.undo(callId, 'undo', false) }
}

test('a hard reset is taken back with the commit it lost and the changes that were in none', async () => {
  write('a.txt', 'not committed\n')
  const head = git('rev-parse', 'HEAD')
  const { undo } = await recorded(['reset', '--hard', 'HEAD~1'])
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n')
  expect(await undo()).toMatchObject({ left: [] })
  expect(git('rev-parse', 'HEAD')).toBe(head)
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('not committed\n')
  expect(git('status', '--porcelain')).toBe('M a.txt')
})

test('cleared stashes and deleted branches come back', async () => {
  git('branch', 'side')
  for (const text of ['put aside\n', 'put aside again\n']) {
    write('a.txt', text)
    git('stash', '-q')
  }
  const before = [git('stash', 'list'), git('branch', '--list')]
  const { undo } = await recorded(['stash', 'clear'], ['branch', '-D', 'side'])
  expect(git('stash', 'list')).toBe('')
  expect(await undo()).toMatchObject({ left: [] })
  expect([git('stash', 'list'), git('branch', '--list')]).toEqual(before)
  expect(git('show', 'stash@{1}:a.txt')).toBe('put aside')
})

test('packed names come back too', async () => {
  git('branch', 'side')
  git('pack-refs', '--all')
  const { undo } = await recorded(['branch', '-D', 'side'])
  expect(git('branch', '--list', 'side')).toBe('')
  await undo()
  expect(git('branch', '--list', 'side')).toBe('side')
})

test('a look of git is no change, and its other files are not kept', async () => {
  write('a.txt', 'two\n')
  expect((await recorded(['status'], ['config', 'x.y', 'z'])).paths).toEqual([])
  expect(
    ['.git/config', '.git/hooks', '.git/objects', '.git/refs/remotes', '.git/HEAD.lock'].filter(isLeftOut),
  ).toHaveLength(5)
})
