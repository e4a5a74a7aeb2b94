import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Losses } from '../../src-preload/contract/losses'
import { createFixture, type Fixture } from '../approval/fixture'
import type { Access } from '../approval/types'
import { hashOf } from '../changes/put'
import { gitIn } from '../test-folder'
import { createLossFinder, type LossFinder } from './losses'
import type { Writer } from './owners'

let fixture: Fixture
let finder: LossFinder
let writers: Map<string, Writer>
beforeEach(() => {
  fixture = createFixture()
  writers = new Map()
  finder = createLossFinder({ files: fixture.files, isLocal: (node) => node === 'local', writersOf: () => writers })
})
afterEach(() => fixture.remove())

const git = (...args: string[]): string => gitIn(fixture.workspace, fixture.home, args)
const init = (): void => {
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'first')
}
const accessTo = (command: string, cwd = fixture.workspace): Access => ({
  action: 'exec',
  node: 'local',
  cwd,
  workspace: fixture.workspace,
  command,
})
const lossesOf = async (command: string, cwd?: string): Promise<Extract<Losses, { status: 'known' }>> => {
  const access = accessTo(command, cwd)
  const losses = finder.describe(await finder.find(access, 10_000), access)
  if (losses.status !== 'known') throw new Error('not known')
  return losses
}
/** `kind: names` for each group. */
const sketch = async (command: string, cwd?: string): Promise<string[]> =>
  (await lossesOf(command, cwd)).groups.map(
    ({ kind, count, items }) => `${kind} ${count}: ${items.map(({ name }) => name).join(' ')}`,
  )

describe('in a plain folder', () => {
  test.each([
    ['rm a.txt', ['file 1: a.txt']],
    ['rm -f *.txt', ['file 3: a.txt b.txt my file.txt']],
    ["rm 'my file.txt' none.txt", ['file 1: my file.txt']],
    ['rm -rf src', ['file 2: src/app.ts src/util.ts']],
    ['cd src && rm app.ts', ['file 1: src/app.ts']],
    ['sh -c "rm a.txt"', ['file 1: a.txt']],
    ['sudo rm a.txt', ['file 1: a.txt']],
    ['unlink a.txt; shred -u b.txt', ['file 2: a.txt b.txt']],
    ['echo x > a.txt', ['file 1: a.txt']],
    ['echo x >| a.txt 2>&1', ['file 1: a.txt']],
    ['echo x >> a.txt', []],
    ['echo x > new.txt', []],
    ['echo x | tee a.txt b.txt', ['file 2: a.txt b.txt']],
    ['echo x | tee -a a.txt', []],
    ['truncate -s 0 a.txt', ['file 1: a.txt']],
    ['cp a.txt b.txt', ['file 1: b.txt']],
    ['cp -n a.txt b.txt', []],
    ['mv a.txt b.txt', ['file 1: b.txt']],
    ['mv a.txt c.txt', []],
    ['cp sub/x.txt .', []],
    ['cp README.md src/app.ts', ['file 1: src/app.ts']],
    ['dd if=a.txt of=b.txt', ['file 1: b.txt']],
    ["find . -name '*.ts' -delete", ['file 2: src/app.ts src/util.ts']],
    ["find . -maxdepth 1 -type f -name 'a*' -delete", ['file 2: a.csv a.txt']],
    ['find src -type f -exec rm {} +', ['file 2: src/app.ts src/util.ts']],
    ["find . -name '*.csv' | xargs rm -f", ['file 1: a.csv']],
    ['echo a.txt b.txt | xargs rm', ['file 2: a.txt b.txt']],
    ['ls', []],
    ['git status', []],
    ['git stash clear', []],
  ])('%s', async (command, expected) => {
    expect(await sketch(command)).toEqual(expected)
  })

  test('what only running it would tell is said to be so', async () => {
    expect((await lossesOf('cat list | xargs rm')).notes).toEqual([
      'Some of what it deletes is only known when it runs.',
    ])
    expect((await lossesOf('rm "$FILE"')).notes).toEqual(['Some of what it deletes is only known when it runs.'])
    expect((await lossesOf("find . -mtime +3 -name '*.ts' -delete")).notes).toEqual([
      'The command chooses among these by further conditions; it may delete fewer.',
    ])
  })

  test('many names are counted, a link is lost without what it leads to, and nothing is asked of other nodes', async () => {
    for (let index = 0; index < 222; index++) fixture.write(`many/${String(index).padStart(3, '0')}.txt`)
    const [many] = (await lossesOf('rm -r many')).groups
    expect(many).toMatchObject({ kind: 'file', count: 222, items: { length: 8 } })
    symlinkSync(fixture.outside, join(fixture.workspace, 'link'))
    expect(await sketch('rm link')).toEqual(['file 1: link'])
    expect(finder.mayLose({ ...accessTo('rm a.txt'), node: 'elsewhere' })).toBe(false)
  })

  test('folders that tools make are named apart, and not copied', async () => {
    fixture.write('node_modules/x/index.js')
    fixture.write('node_modules/y/index.js')
    const losses = await lossesOf('rm -rf node_modules a.txt')
    expect(losses.groups.map(({ kind }) => kind)).toEqual(['file', 'generated'])
    expect(losses.copy).toEqual({ files: 1, bytes: 5 })
  })

  test('files outside the workspace are named in full', async () => {
    expect(await sketch(`rm ${fixture.outside}/plain.txt`)).toEqual([`file 1: ${fixture.outside}/plain.txt`])
  })

  test('what is too much to copy says so', async () => {
    mkdirSync(join(fixture.workspace, 'heap'))
    for (let index = 0; index <= 5000; index++) writeFileSync(join(fixture.workspace, 'heap', `${index}`), '')
    expect((await lossesOf('rm -r heap')).copy?.obstacle).toMatch('5,001 files are more than 5,000')
  })
})

describe('in a repository', () => {
  beforeEach(() => {
    fixture.write('.gitignore', '*.log\n/private/\n')
    init()
  })

  test('what is committed is not lost', async () => {
    expect(await sketch('rm -rf src a.txt')).toEqual([])
    expect((await lossesOf('rm -rf src a.txt')).copy).toBeNull()
  })

  test('changed, added, unknown and ignored files are told apart', async () => {
    fixture.write('src/app.ts', 'changed\n')
    fixture.write('src/added.ts')
    git('add', 'src/added.ts')
    fixture.write('src/new.ts')
    fixture.write('src/debug.log')
    fixture.write('private/notes.txt')
    expect(await sketch('rm -rf src private')).toEqual([
      'changes 2: src/added.ts src/app.ts',
      'untracked 1: src/new.ts',
      'ignored 2: private/notes.txt src/debug.log',
    ])
    expect(await sketch('git reset --hard')).toEqual(['changes 2: src/added.ts src/app.ts'])
    expect(await sketch('git checkout .')).toEqual(['changes 1: src/app.ts'])
    expect(await sketch('git checkout -- a.txt')).toEqual([])
    expect(await sketch('git restore app.ts', join(fixture.workspace, 'src'))).toEqual(['changes 1: src/app.ts'])
    expect(await sketch('git clean -f')).toEqual(['untracked 1: src/new.ts'])
    expect(await sketch('git clean -fdx')).toEqual([
      'untracked 1: src/new.ts',
      'ignored 2: private/notes.txt src/debug.log',
    ])
    expect(await sketch('git clean -fdX src')).toEqual(['ignored 1: src/debug.log'])
  })

  test('whose they are: a session that left them so, or the user since their last change', async () => {
    fixture.write('a.txt', 'by the agent\n')
    fixture.write('b.txt', 'by the user\n')
    fixture.write('src/app.ts', 'by the agent, then by the user\n')
    for (const [name, text] of [
      ['a.txt', 'by the agent\n'],
      ['src/app.ts', 'by the agent\n'],
    ] as const)
      writers.set(join(fixture.workspace, name), { sessionId: 's2', hash: hashOf(Buffer.from(text)) })
    const [changes] = (await lossesOf('git checkout .')).groups
    expect(changes?.items).toEqual([
      { name: 'a.txt', owner: { by: 'session', sessionId: 's2' } },
      { name: 'b.txt', owner: { by: 'user', since: expect.any(Number) } },
      { name: 'src/app.ts', owner: { by: 'user', since: expect.any(Number) } },
    ])
  })

  test('stashes, branches and commits that nothing else names', async () => {
    fixture.write('a.txt', 'one\n')
    git('stash', 'push', '-qm', 'first idea')
    fixture.write('a.txt', 'two\n')
    git('stash', 'push', '-qm', 'second idea')
    expect(await sketch('git stash clear')).toEqual(['stash 2: stash@{0} stash@{1}'])
    expect((await lossesOf('git stash drop')).groups[0]?.items).toEqual([
      { name: 'stash@{0}', detail: 'On main: second idea' },
    ])
    expect((await lossesOf('git stash drop stash@{1}')).groups[0]?.items).toEqual([
      { name: 'stash@{1}', detail: 'On main: first idea' },
    ])
    git('switch', '-qc', 'topic')
    fixture.write('topic.txt')
    git('add', '-A')
    git('commit', '-qm', 'Only here')
    expect((await lossesOf('git reset --hard main')).groups[0]).toMatchObject({
      kind: 'commits',
      items: [{ name: expect.stringMatching(/^[0-9a-f]+ Only here$/) }],
    })
    git('switch', '-q', 'main')
    expect((await lossesOf('git branch -D topic')).groups).toMatchObject([
      { kind: 'branch', count: 1, items: [{ name: 'topic', detail: expect.stringMatching('^1 commit nowhere else') }] },
    ])
    git('branch', 'same', 'topic')
    expect((await lossesOf('git branch -D topic')).groups[0]?.items[0]?.detail).toBe(
      'its commits are on another branch too',
    )
  })

  test('a repository that is deleted loses what no remote has', async () => {
    expect((await lossesOf('rm -rf .git')).groups).toMatchObject([
      { kind: 'repository', items: [{ name: '.', detail: '1 commit, and no remote has them' }] },
    ])
    const { groups, copy } = await lossesOf(`cd / && rm -rf ${fixture.workspace}`)
    expect(groups).toMatchObject([{ kind: 'repository', items: [{ name: '.' }] }])
    // A copy holds the files too, though they are in the commit: the commit goes with them.
    expect(copy?.files).toBeGreaterThan(10)
  })

  test('a folder of a larger repository, and a linked work tree', async () => {
    fixture.write('src/app.ts', 'changed\n')
    const access = {
      ...accessTo('git checkout .', join(fixture.workspace, 'src')),
      workspace: join(fixture.workspace, 'src'),
    }
    expect(finder.describe(await finder.find(access, 10_000), access)).toMatchObject({
      groups: [{ kind: 'changes', items: [{ name: 'app.ts' }] }],
    })
    git('worktree', 'add', '-q', join(fixture.root, 'tree'), '-b', 'tree')
    writeFileSync(join(fixture.root, 'tree', 'a.txt'), 'changed in the tree\n')
    expect(await sketch('git reset --hard', join(fixture.root, 'tree'))).toEqual([
      `changes 1: ${join(fixture.root, 'tree', 'a.txt')}`,
    ])
  })

  test('a repository whose settings may start programs is not asked', async () => {
    const marker = join(fixture.root, 'ran')
    git('config', 'core.fsmonitor', `touch ${marker}`)
    git('config', 'filter.x.clean', `touch ${marker}`)
    fixture.write('.gitattributes', '* filter=x\n')
    fixture.write('a.txt', 'changed\n')
    rmSync(marker, { force: true })
    const losses = await lossesOf('rm -rf a.txt b.txt .gitattributes && git reset --hard && git clean -fdx')
    expect(losses.groups[0]).toMatchObject({ kind: 'changes', items: [{ name: 'a.txt' }] })
    expect(() => execFileSync('test', ['-e', marker])).toThrow()
  })
})
