import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReviewDiff, ReviewEvent, ReviewScope } from '../../src-preload/contract/review'
import { createGit } from '../git/git'
import type { Receipts } from '../receipts/receipts'
import { makeTestFolder, type TestFolder } from '../receipts/test-folder'
import { createSandbox, type Sandbox } from '../sandbox/sandbox'
import { createReview, type Review } from './review'

let folder: TestFolder
let base: string
let root: string
let receipts: Receipts
let review: Review
let sandbox: Sandbox
let sessionId: string
let events: ReviewEvent[]
let calls = 0

beforeEach(() => {
  folder = makeTestFolder('review')
  ;({ base, root, sessionId } = folder)
  const { data, home, database } = folder
  receipts = folder.openReceipts({ limits: { keepMs: 60_000, scanMs: 60_000 } })
  events = []
  sandbox = createSandbox({ home, own: [data], hosts: () => [] })
  review = createReview({
    git: createGit({ sandbox, own: [data], home }),
    receipts,
    database,
    workspaceOf: () => root,
    publish: (event) => events.push(event),
  })
})

afterEach(async () => {
  await receipts.close()
  await sandbox.close()
  folder.close()
})

const at = (path: string): string => join(root, path)
const write = (path: string, text: string | Buffer): void => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const text = (path: string): string => readFileSync(at(path), 'utf8')
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'core.hooksPath=/dev/null', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: join(base, 'home') },
  })

/** What a call of the session does. */
const act = async (work: () => void): Promise<void> => {
  const ended = await receipts.begin({
    ...{ callId: `call-${++calls}`, sessionId, node: 'local', workspace: root, gist: 'edit', paths: null },
  })
  work()
  ended()
  await receipts.settled()
}

const diff = (path: string, scope: ReviewScope = 'session'): Promise<ReviewDiff> =>
  review.diff({ sessionId, scope, path })
const indexOf = (shown: ReviewDiff, words: string): number =>
  shown.hunks.flatMap(({ lines }) => lines).find((line) => line.kind !== 'same' && line.text === words)?.index ??
  expect.fail(`no changed line ${words}`)
const choose = (shown: ReviewDiff, lines?: number[]) => ({
  ...{ sessionId, scope: shown.scope, path: shown.path, stamp: shown.stamp },
  ...(lines && { lines }),
})
const paths = async (): Promise<string[]> => (await review.list(sessionId)).session.map(({ path }) => path)

describe('the difference of a session, without git', () => {
  beforeEach(async () => {
    write('a.txt', 'one\ntwo\nthree\n')
    write('gone.txt', 'bye\n')
    write('old name.txt', 'the same words\n')
    write('kept.txt', 'kept\n')
    await act(() => {
      write('a.txt', 'one\n2\nthree\nfour\n')
      write('new/b.ts', 'const b = 1\n')
      rmSync(at('gone.txt'))
      renameSync(at('old name.txt'), at('new name.txt'))
      write('bytes.bin', Buffer.from([0, 1, 2, 255]))
    })
    await act(() => write('a.txt', 'one\n2\nthree\nfour\nfive\n'))
  })

  test('lists every file once, with what became of it', async () => {
    const { session, repository, sessionCut } = await review.list(sessionId)
    expect(session.map(({ path, kind, from, added, removed }) => [path, kind, from, added, removed])).toEqual([
      ['a.txt', 'update', undefined, 3, 1],
      ['bytes.bin', 'add', undefined, null, null],
      ['gone.txt', 'delete', undefined, 0, 1],
      ['new name.txt', 'move', 'old name.txt', 1, 0],
      ['new/b.ts', 'add', undefined, 1, 0],
      ['old name.txt', 'delete', undefined, 0, 1],
    ])
    expect({ repository, sessionCut }).toEqual({ repository: null, sessionCut: false })
  })

  test('a line is reverted alone, and the revert can be undone', async () => {
    const shown = await diff('a.txt')
    const callId = await review.revert(choose(shown, [indexOf(shown, '2'), indexOf(shown, 'two')]))
    expect(text('a.txt')).toBe('one\ntwo\nthree\nfour\nfive\n')
    if (callId === null) return expect.fail('no receipt')
    expect(receipts.get(callId)).toMatchObject({ sessionId, gist: 'Reverted lines of a.txt', changed: 1 })
    await receipts.undo(callId, 'undo', false)
    expect(text('a.txt')).toBe('one\n2\nthree\nfour\nfive\n')
  })

  test('whole files: a new one goes, a deleted one comes back, bytes are no obstacle', async () => {
    for (const path of ['new/b.ts', 'gone.txt', 'bytes.bin', 'a.txt']) await review.revert(choose(await diff(path)))
    expect(existsSync(at('new/b.ts'))).toBe(false)
    expect(text('gone.txt')).toBe('bye\n')
    expect(existsSync(at('bytes.bin'))).toBe(false)
    expect(text('a.txt')).toBe('one\ntwo\nthree\n')
    expect(await paths()).toEqual(['new name.txt', 'old name.txt'])
  })

  test('nothing is done to a file that changed since it was shown', async () => {
    const shown = await diff('a.txt')
    write('a.txt', 'one\n2\nthree\nfour\nfive\nby hand\n')
    await expect(review.revert(choose(shown))).rejects.toThrow('has changed since it was shown')
    await expect(review.accept(choose(shown))).rejects.toThrow('has changed since it was shown')
    expect(text('a.txt')).toContain('by hand')
  })

  test('what was accepted is not shown again, until it changes or is brought back', async () => {
    const shown = await diff('a.txt')
    await review.accept(choose(shown, [indexOf(shown, 'four')]))
    const rest = await diff('a.txt')
    expect(rest.hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'add')).toMatchObject([
      { text: '2' },
      { text: 'five' },
    ])
    await review.accept(choose(rest))
    await review.accept(choose(await diff('gone.txt')))
    expect(await paths()).not.toContain('a.txt')
    expect(await paths()).not.toContain('gone.txt')
    expect((await review.list(sessionId)).accepted).toEqual(['a.txt', 'gone.txt'])
    receipts.sweep()
    await act(() => write('a.txt', 'one\n2\nthree\nfour\nfive\nsix\n'))
    expect(await diff('a.txt')).toMatchObject({ added: 1, removed: 0 })
    review.unaccept(sessionId, 'a.txt')
    expect(await diff('a.txt')).toMatchObject({ added: 4, removed: 1 })
  })

  test('a mark for viewed files holds while the file stays as it is', async () => {
    const viewed = async () =>
      (await review.list(sessionId)).session.filter((file) => file.viewed).map(({ path }) => path)
    review.view(sessionId, 'a.txt', (await diff('a.txt')).stamp)
    expect(await viewed()).toEqual(['a.txt'])
    write('a.txt', 'changed\n')
    expect(await viewed()).toEqual([])
  })

  test('comments become one message with their places', () => {
    const comment = { sessionId, scope: 'session' as const, path: 'a.txt', excerpt: '2', line: 2, endLine: 2 }
    review.comment({ ...comment, side: 'after', text: 'Spell it out.' })
    review.comment({ ...comment, path: 'b.ts', excerpt: 'x\ny', endLine: 3, side: 'before', text: 'Why?' })
    expect(review.takeComments(sessionId, '')).toBe(
      'I have 2 comments on your changes.\n\na.txt:2\n> 2\n\nSpell it out.\n\nb.ts:2-3 (before your change)\n> x\n> y\n\nWhy?',
    )
    expect(review.comments(sessionId)).toEqual([])
    expect(() => review.takeComments(sessionId, '')).toThrow('no comments')
    expect(events.at(-1)).toEqual({ type: 'review-comments', sessionId, comments: [] })
  })

  test('large and very different files can still be taken as a whole', async () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `${at}`).join('\n')
    await act(() => write('large.txt', lines))
    const shown = await diff('large.txt')
    expect(shown).toMatchObject({
      hunks: [],
      canPick: false,
      canRevert: true,
      note: expect.stringContaining('to show'),
    })
    await review.revert(choose(shown))
    expect(existsSync(at('large.txt'))).toBe(false)
  })
})

describe('the work tree of a repository', () => {
  beforeEach(() => {
    git('init', '-q', '-b', 'main')
    write('a.txt', 'one\ntwo\nthree\n')
    write('sub/b.txt', 'b\n')
    write('moved.txt', 'a long enough text to be found again\n')
    git('add', '.')
    git('commit', '-qm', 'first')
  })

  const staged = (path: string): string => git('show', `:${path}`)
  const names = async () => {
    const { repository } = await review.list(sessionId)
    return {
      unstaged: repository?.unstaged.map(({ path, kind }) => `${kind} ${path}`),
      staged: repository?.staged.map(({ path, kind }) => `${kind} ${path}`),
    }
  }

  test('stages and unstages files, hunks and lines', async () => {
    write('a.txt', 'one\n2\nthree\nfour\n')
    write('new file.txt', 'new\nlines\n')
    rmSync(at('sub/b.txt'))
    expect(await names()).toEqual({
      unstaged: ['update a.txt', 'delete sub/b.txt', 'add new file.txt'],
      staged: [],
    })
    const shown = await diff('a.txt', 'unstaged')
    await review.accept(choose(shown, [indexOf(shown, 'four')]))
    expect(staged('a.txt')).toBe('one\ntwo\nthree\nfour\n')
    expect(text('a.txt')).toBe('one\n2\nthree\nfour\n')
    const fresh = await diff('new file.txt', 'unstaged')
    await review.accept(choose(fresh, [indexOf(fresh, 'new')]))
    expect(staged('new file.txt')).toBe('new\n')
    await review.accept(choose(await diff('sub/b.txt', 'unstaged')))
    expect(await names()).toEqual({
      unstaged: ['update a.txt', 'update new file.txt'],
      staged: ['update a.txt', 'add new file.txt', 'delete sub/b.txt'],
    })
    await review.revert(choose(await diff('a.txt', 'staged')))
    await review.revert(choose(await diff('sub/b.txt', 'staged')))
    await review.revert(choose(await diff('new file.txt', 'staged')))
    expect((await names()).staged).toEqual([])
    expect(text('a.txt')).toBe('one\n2\nthree\nfour\n')
  })

  test('stages and unstages many files at once, but none that changed since', async () => {
    write('a.txt', 'changed\n')
    write('*.txt', 'a name that could be a pattern\n')
    rmSync(at('sub/b.txt'))
    const files = async (scope: 'staged' | 'unstaged') =>
      (await review.list(sessionId)).repository?.[scope].map(({ path, stamp }) => ({ path, stamp })) ?? []
    const shown = await files('unstaged')
    write('a.txt', 'changed again\n')
    await expect(review.takeAll(sessionId, 'unstaged', shown)).rejects.toThrow('a.txt has changed')
    expect((await names()).staged).toEqual([])
    await review.takeAll(sessionId, 'unstaged', await files('unstaged'))
    expect((await names()).staged).toEqual(['add *.txt', 'update a.txt', 'delete sub/b.txt'])
    await review.takeAll(sessionId, 'staged', (await files('staged')).slice(0, 1))
    expect((await names()).staged).toEqual(['update a.txt', 'delete sub/b.txt'])
  })

  test('reverts a hunk of the work tree and leaves the rest', async () => {
    write('a.txt', 'one\n2\nthree\nfour\n')
    const shown = await diff('a.txt', 'unstaged')
    expect(await review.revert(choose(shown, [indexOf(shown, 'four')]))).toMatch(/^review-/)
    expect(text('a.txt')).toBe('one\n2\nthree\n')
  })

  test('renames, modes, a repository without commits, and a folder below the root', async () => {
    git('mv', 'moved.txt', 'sub/moved here.txt')
    chmodSync(at('a.txt'), 0o755)
    const { repository } = await review.list(sessionId)
    expect(repository?.staged).toMatchObject([{ kind: 'move', path: 'sub/moved here.txt', from: 'moved.txt' }])
    expect(await diff('a.txt', 'unstaged')).toMatchObject({ note: 'Made executable.', canPick: false })
    await review.revert(choose(await diff('sub/moved here.txt', 'staged')))
    expect(git('diff', '--cached', '--name-status')).toBe('')
    await review.accept(choose(await diff('a.txt', 'unstaged')))
    expect(git('diff', '--cached', '--summary')).toContain('mode change 100644 => 100755 a.txt')
    write('sub/c.txt', 'c\n')
    root = at('sub')
    expect((await review.list(sessionId)).repository?.unstaged.map(({ path }) => path)).toEqual([
      'c.txt',
      'moved here.txt',
    ])
    root = join(base, 'empty')
    mkdirSync(root)
    git('init', '-q')
    write('x.txt', 'x\n')
    expect((await review.list(sessionId)).repository).toMatchObject({
      hasCommits: false,
      unstaged: [{ path: 'x.txt' }],
    })
    await review.accept(choose(await diff('x.txt', 'unstaged')))
    expect(staged('x.txt')).toBe('x\n')
  })

  test('a conflict is shown, but nothing is done to it', async () => {
    git('checkout', '-qb', 'other')
    write('a.txt', 'other\n')
    git('commit', '-qam', 'other')
    git('checkout', '-q', 'main')
    write('a.txt', 'mine\n')
    git('commit', '-qam', 'mine')
    expect(() => git('merge', 'other')).toThrow()
    expect(await diff('a.txt', 'unstaged')).toMatchObject({ kind: 'conflict', canAccept: false, canRevert: false })
  })

  test('nothing that the repository configures is run', async () => {
    const marker = join(base, 'ran')
    write('.git/hooks/post-index-change', `#!/bin/sh\ntouch ${marker}\n`)
    chmodSync(at('.git/hooks/post-index-change'), 0o755)
    write('.gitattributes', '*.txt filter=evil diff=evil\n')
    for (const name of ['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.evil.textconv'])
      git('config', name, `touch ${marker}; cat`)
    git('config', 'core.fsmonitor', `touch ${marker}; false`)
    git('config', 'filter.evil.required', 'true')
    write('a.txt', 'changed\n')
    write('c.md', 'md\n')
    expect(existsSync(marker)).toBe(false)
    await review.list(sessionId)
    await expect(review.accept(choose(await diff('a.txt', 'unstaged')))).rejects.toThrow('git filter “evil”')
    await review.accept(choose(await diff('c.md', 'unstaged')))
    await review.revert(choose(await diff('a.txt', 'unstaged')))
    expect(text('a.txt')).toBe('one\ntwo\nthree\n')
    expect(existsSync(marker)).toBe(false)
  })
})
