import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WorktreeEnd, WorktreeEndPlan } from '../../src-preload/contract/worktrees'
import { createGit } from '../git/git'
import { makeTestFolder, type TestFolder } from '../receipts/test-folder'
import { createSandbox, type Sandbox } from '../sandbox/sandbox'
import { createWorktreeRows, portsIn, type WorktreeRows } from './worktree-rows'
import { createWorktrees, type Worktrees } from './worktrees'

let folder: TestFolder
let base: string
let root: string
let sandbox: Sandbox
let rows: WorktreeRows
let worktrees: Worktrees
let busy: string | null
let moved: string[]
let setups: string[]
let newSession: (workspace: string) => string

beforeEach(() => {
  folder = makeTestFolder('worktrees')
  ;({ base, root, newSession } = folder)
  const { data, home, database } = folder
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Test\n\temail = test@example.org\n')
  sandbox = createSandbox({ home, own: [data], hosts: () => [] })
  rows = createWorktreeRows(database)
  busy = null
  moved = []
  setups = []
  worktrees = createWorktrees({
    git: createGit({ sandbox, own: [data], home }),
    rows,
    publish: () => {},
    busy: () => busy,
    moveSession: (_, folder) => moved.push(folder),
    runSetup: async (worktree, command) => void setups.push(`${command} in ${worktree.path}`),
  })
  git(root, 'init', '-q', '-b', 'main')
  writeFileSync(join(root, '.gitignore'), '.env\n')
  writeFileSync(join(root, 'a.txt'), 'one\n')
  writeFileSync(join(root, '.env'), 'KEY=1\n')
  commit(root, 'first')
})
afterEach(async () => {
  await sandbox.close()
  folder.close()
})

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: join(base, 'home') } })
const commit = (cwd: string, message: string): void => {
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-qm', message)
}
const make = (name = 'Fix the login!') => worktrees.create({ folder: root, name, open: newSession })
const planFor = async (sessionId: string, end: WorktreeEnd): Promise<WorktreeEndPlan> =>
  (await worktrees.plan(sessionId)).find((each) => each.end === end) ?? expect.fail(`no plan for ${end}`)
const end = async (sessionId: string, how: WorktreeEnd): Promise<void> =>
  worktrees.end(sessionId, how, (await planFor(sessionId, how)).stamp)

test('a branch and a folder, with files to copy, a set-up command and ports of its own', async () => {
  const setup = { command: 'npm ci', copy: ['.env', 'missing'] }
  const first = await worktrees.create({ folder: root, name: 'Fix the login!', setup, open: newSession })
  expect(first).toMatchObject({
    ...{ repository: root, branch: 'deckhand/fix-the-login', base: 'main', port: 3010 },
    path: join(base, 'work.worktrees/fix-the-login'),
  })
  expect(git(first.path, 'branch', '--show-current')).toBe('deckhand/fix-the-login\n')
  expect(readFileSync(join(first.path, '.env'), 'utf8')).toBe('KEY=1\n')
  expect(setups).toEqual([`npm ci in ${first.path}`])
  // The second one of the same name, with what was said for the repository before; also from inside a work tree.
  const second = await worktrees.create({ folder: first.path, name: 'Fix the login!', open: newSession })
  expect(second).toMatchObject({ branch: 'deckhand/fix-the-login-2', base: 'deckhand/fix-the-login', port: 3020 })
  expect(setups).toHaveLength(2)
  expect(portsIn(worktrees.list(), `${second.path}/src`)).toEqual({ PORT: '3020', DECKHAND_PORT_OFFSET: '20' })
  expect(portsIn(worktrees.list(), root)).toBeUndefined()
})

test('what cannot be a work tree says why, and leaves nothing behind', async () => {
  const outside = { command: '', copy: ['../secret'] }
  await expect(worktrees.create({ folder: root, name: 'x', setup: outside, open: newSession })).rejects.toThrow(
    'not in the repository',
  )
  expect(git(root, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(git(root, 'branch', '--list', 'deckhand/*')).toBe('')
  await expect(worktrees.create({ folder: base, name: 'x', open: newSession })).rejects.toThrow('in none')
  git(root, 'checkout', '-q', '--detach')
  await expect(make()).rejects.toThrow('detached')
})

test('merge: shown first, refused while something is in the way, and then done and tidied up', async () => {
  const { sessionId, path } = await make()
  expect((await planFor(sessionId, 'merge')).obstacle).toContain('no commits')
  writeFileSync(join(path, 'b.txt'), 'b\n')
  expect((await planFor(sessionId, 'merge')).obstacle).toBe('b.txt is not committed. Commit in Review first.')
  commit(path, 'add b')
  const plan = await planFor(sessionId, 'merge')
  expect(plan).toMatchObject({
    conflicts: [],
    effects: [
      expect.stringContaining('1 commit of deckhand/fix-the-login into main: b.txt'),
      expect.anything(),
      expect.anything(),
    ],
  })
  expect(plan.obstacle).toBeUndefined()
  writeFileSync(join(path, 'c.txt'), 'c\n')
  await expect(worktrees.end(sessionId, 'merge', plan.stamp)).rejects.toThrow('has changed since')
  commit(path, 'add c')
  busy = 'The agent is still working. Stop it first.'
  await expect(end(sessionId, 'merge')).rejects.toThrow('still working')
  busy = null
  writeFileSync(join(root, 'main.txt'), 'main\n')
  commit(root, 'meanwhile')
  await end(sessionId, 'merge')
  expect(['a.txt', 'b.txt', 'c.txt', 'main.txt'].every((name) => existsSync(join(root, name)))).toBe(true)
  expect([existsSync(path), git(root, 'branch', '--list', 'deckhand/*'), moved]).toEqual([false, '', [root]])
  expect(worktrees.of(sessionId)).toBeNull()
})

test('conflicts are found beforehand; a rebase that meets one puts everything back', async () => {
  const { sessionId, path } = await make()
  writeFileSync(join(path, 'a.txt'), 'theirs\n')
  commit(path, 'theirs')
  writeFileSync(join(root, 'a.txt'), 'mine\n')
  commit(root, 'mine')
  const head = git(path, 'rev-parse', 'HEAD')
  expect(await planFor(sessionId, 'merge')).toMatchObject({
    conflicts: ['a.txt'],
    obstacle: expect.stringContaining('conflicts'),
  })
  expect(await planFor(sessionId, 'rebase')).toMatchObject({ conflicts: ['a.txt'] })
  await expect(end(sessionId, 'rebase')).rejects.toThrow('everything was put back')
  expect([git(path, 'rev-parse', 'HEAD'), git(path, 'status', '--porcelain')]).toEqual([head, ''])
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('mine\n')
})

test('rebase puts the branch on top; keep lets go of it; discard keeps what was there under a name', async () => {
  const { sessionId, path, branch } = await make()
  writeFileSync(join(path, 'b.txt'), 'b\n')
  commit(path, 'add b')
  writeFileSync(join(root, 'm.txt'), 'm\n')
  commit(root, 'meanwhile')
  await end(sessionId, 'rebase')
  expect(git(path, 'log', '--format=%s')).toBe('add b\nmeanwhile\nfirst\n')
  await end(sessionId, 'keep')
  expect([existsSync(path), worktrees.of(sessionId)]).toEqual([true, null])
  const other = await make('other')
  writeFileSync(join(other.path, 'lost.txt'), 'not lost\n')
  expect((await planFor(other.sessionId, 'discard')).warnings).toEqual(['Not committed: lost.txt.'])
  await end(other.sessionId, 'discard')
  expect(existsSync(other.path)).toBe(false)
  expect(git(root, 'show', 'refs/deckhand/discarded/other:lost.txt')).toBe('not lost\n')
  expect(git(root, 'branch', '--list', branch)).not.toBe('')
})

test('nothing that the repository configures is run', async () => {
  const marker = join(base, 'ran')
  for (const hook of [
    'post-checkout',
    'post-merge',
    'pre-rebase',
    'post-commit',
    'pre-commit',
    'reference-transaction',
  ]) {
    writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${marker}\n`)
    chmodSync(join(root, '.git/hooks', hook), 0o755)
  }
  const { sessionId, path } = await make()
  execFileSync(
    'git',
    [
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'user.name=a',
      '-c',
      'user.email=b',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'x',
    ],
    { cwd: path },
  )
  await end(sessionId, 'merge')
  expect(existsSync(marker)).toBe(false)
  const { sessionId: second } = await make('second')
  git(root, 'config', 'merge.own.driver', `touch ${marker}`)
  await end(second, 'discard')
  expect(existsSync(marker)).toBe(false)
})
