import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import type { Answer, Question } from '../../src-preload/contract/approval'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { Engine } from '../engine'
import { gitIn, makeFolder, removeFolder } from '../test-folder'
import { openEngine, saveScripted } from './test-engine'

/** The whole engine with a scripted model, and real repositories: what would be lost is named, copied and brought back. */
let root: string
let workspace: string
let model: ScriptedModel
let engine: Engine
let sessionId: string

beforeEach(async () => {
  root = makeFolder('copy')
  workspace = join(root, 'workspace')
  for (const folder of [workspace, join(root, 'data')]) mkdirSync(folder)
  model = await scriptedModel([], { models: ['one'] })
  engine = await openEngine(join(root, 'data'), { interactive: true })
  engine.updateSettings({ defaultModel: await saveScripted(engine, model), defaultWorkspace: workspace })
  sessionId = engine.createSession({ mode: 'ask' }).id
})
afterEach(async () => {
  await engine.close()
  await model.close()
  removeFolder(root)
})

const write = (name: string, text: string): void => {
  const path = join(workspace, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const text = (name: string): string | null =>
  existsSync(join(workspace, name)) ? readFileSync(join(workspace, name), 'utf8') : null
const git = (...args: string[]): string => gitIn(workspace, root, args)
const init = (): void => {
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'first')
}
const stash = (): void => {
  write('a.txt', 'one\n')
  init()
  write('a.txt', 'idea\n')
  git('stash', 'push', '-qm', 'an idea')
}
const asked = async (command: string): Promise<Question> => {
  model.push(calls('Bash', { command }), says('Done.'))
  engine.runner.send(sessionId, 'Go', [])
  const open = () => engine.runner.questions()[0]?.question
  await expect.poll(() => open()?.losses?.status, { timeout: 20_000 }).toBe('known')
  return open() as Question
}
const answered = async (question: Question, answer: Answer): Promise<ToolCall> => {
  engine.runner.answer(question.id, answer)
  await expect.poll(() => engine.store.sessions.get(sessionId).status, { timeout: 20_000 }).toBe('idle')
  await engine.receipts.settled()
  return engine.store.calls.get(question.callId)
}
const withCopy = (question: Question): Promise<ToolCall> =>
  answered(question, {
    decision: 'allow',
    scope: 'once',
    copy: true,
    ...(question.typedWord !== undefined && { typed: question.typedWord }),
  })
const named = (question: Question): string[] =>
  question.losses?.status === 'known'
    ? question.losses.groups.map(({ kind, items }) => `${kind}: ${items.map(({ name }) => name).join(' ')}`)
    : []
const undo = async (callId: string): Promise<string[]> =>
  (await engine.receipts.undo(callId, 'undo', false)).left.map(({ path, problem }) => `${path}: ${problem}`)
const forgetReflogs = (): void => {
  git('reflog', 'expire', '--expire=now', '--all')
  git('gc', '-q', '--prune=now')
}

describe('keep a copy first', () => {
  test('ignored, secret, large and outside files come back from the copy; without one they do not', async () => {
    const outside = join(root, 'outside.txt')
    const make = (): void => {
      write('.gitignore', '/build/\n.env\n')
      write('build/out/result.bin', 'result\n')
      write('.env', 'TOKEN=1\n')
      write('large.bin', 'x'.repeat(9 * 1024 * 1024))
      writeFileSync(outside, 'outside\n')
    }
    make()
    init()
    git('rm', '-q', '--cached', 'large.bin')
    const command = `rm -rf build .env large.bin ${outside}`
    const first = await asked(command)
    expect(named(first)).toEqual(['untracked: large.bin', `file: ${outside}`, 'ignored: .env build/out/result.bin'])
    await answered(first, { decision: 'allow', scope: 'once', ...(first.typedWord && { typed: first.typedWord }) })
    expect(await undo(first.callId)).toEqual(expect.arrayContaining(['build: not-kept', 'large.bin: not-kept']))
    expect([text('.env'), existsSync(outside)]).toEqual([null, false])

    make()
    const second = await asked(command)
    const call = await withCopy(second)
    expect(call.state.status).toBe('done')
    expect([text('build/out/result.bin'), text('.env'), text('large.bin'), existsSync(outside)]).toEqual([
      null,
      null,
      null,
      false,
    ])
    expect(engine.receipts.get(second.callId)).toMatchObject({ copied: 4, notes: [expect.stringContaining('outside')] })
    expect(await undo(second.callId)).toEqual([])
    expect([text('build/out/result.bin'), text('.env'), text('large.bin')?.length]).toEqual([
      'result\n',
      'TOKEN=1\n',
      9 * 1024 * 1024,
    ])
    expect(readFileSync(outside, 'utf8')).toBe('outside\n')
    // And forward again.
    expect((await engine.receipts.undo(second.callId, 'redo', false)).left).toEqual([])
    expect([text('.env'), existsSync(outside)]).toEqual([null, false])
  }, 60_000)

  test('a dropped stash and a deleted branch come back, even after git has cleaned up', async () => {
    stash()
    git('switch', '-qc', 'topic')
    write('topic.txt', 'topic\n')
    git('add', '-A')
    git('commit', '-qm', 'Only on topic')
    git('switch', '-q', 'main')
    git('pack-refs', '--all')
    const question = await asked('git stash clear && git branch -D topic')
    expect(named(question)).toEqual(['stash: stash@{0}', 'branch: topic'])
    await withCopy(question)
    expect([git('stash', 'list'), git('branch', '--list', 'topic')]).toEqual(['', ''])
    forgetReflogs()
    // git has rewritten its list of names since; the names come back as files of their own.
    expect(await undo(question.callId)).toEqual(['.git/packed-refs: changed-since'])
    expect(git('stash', 'list')).toContain('an idea')
    expect(git('show', 'topic:topic.txt')).toBe('topic')
    git('stash', 'pop', '-q')
    expect(text('a.txt')).toBe('idea\n')
  }, 60_000)

  test('in a folder of a larger repository the stash is outside the workspace, and comes back as well', async () => {
    write('a.txt', 'one\n')
    write('sub/b.txt', 'one\n')
    init()
    write('sub/b.txt', 'idea\n')
    git('stash', 'push', '-qm', 'an idea')
    sessionId = engine.createSession({ mode: 'ask', workspace: join(workspace, 'sub') }).id
    write('sub/b.txt', 'two\n')
    write('a.txt', 'two\n')
    const question = await asked('git stash clear && git reset --hard')
    expect(named(question)).toEqual([`changes: ${join(workspace, 'a.txt')} b.txt`, 'stash: stash@{0}'])
    await withCopy(question)
    expect([text('a.txt'), text('sub/b.txt'), git('stash', 'list')]).toEqual(['one\n', 'one\n', ''])
    expect(await undo(question.callId)).toEqual([])
    expect([text('a.txt'), text('sub/b.txt')]).toEqual(['two\n', 'two\n'])
    expect(git('stash', 'list')).toContain('an idea')
  }, 60_000)

  test('where the copy cannot be taken the command does not run', async () => {
    write('a.txt', 'one\n')
    const question = await asked('rm a.txt')
    // A file is where the folder of copies should be.
    mkdirSync(join(root, 'data/receipts'), { recursive: true })
    writeFileSync(join(root, 'data/receipts/copies'), '')
    const call = await withCopy(question)
    expect(call.state).toMatchObject({ status: 'failed', error: { message: expect.stringMatching('^It was not run') } })
    expect(text('a.txt')).toBe('one\n')
  }, 60_000)

  test('what was copied goes with what is kept for undo, and so do the names given to commits', async () => {
    stash()
    const question = await asked('git stash drop')
    await withCopy(question)
    expect(git('for-each-ref', 'refs/deckhand')).toContain('commit')
    expect(engine.receipts.kept().bytes).toBeGreaterThan(0)
    expect(engine.receipts.forget().bytes).toBe(0)
    expect(git('for-each-ref', 'refs/deckhand')).toBe('')
    expect(readdirSync(join(root, 'data/receipts/copies/contents'))).toEqual([])
  }, 60_000)
})

test('whose work it is: the other session’s file, this session’s, and the user’s', async () => {
  write('base.txt', 'x\n')
  init()
  const run = async (command: string): Promise<void> => {
    model.push(calls('Bash', { command }), says('Made.'))
    engine.runner.send(sessionId, 'Make', [])
    await expect.poll(() => engine.runner.questions().length, { timeout: 20_000 }).toBe(1)
    engine.runner.answer(engine.runner.questions()[0]?.question.id ?? '', { decision: 'allow', scope: 'once' })
    await expect.poll(() => engine.store.sessions.get(sessionId).status, { timeout: 20_000 }).toBe('idle')
    await engine.receipts.settled()
  }
  const other = sessionId
  await run('echo other > other.txt; echo both > both.txt')
  sessionId = engine.createSession({ mode: 'ask' }).id
  await run('echo mine > mine.txt')
  write('both.txt', 'the user has changed it\n')
  write('users.txt', 'the user’s own\n')
  const question = await asked('git clean -fd')
  expect(question.losses).toMatchObject({
    groups: [
      {
        kind: 'untracked',
        items: [
          { name: 'both.txt', owner: { by: 'user' } },
          { name: 'mine.txt', owner: { by: 'session', sessionId } },
          { name: 'other.txt', owner: { by: 'session', sessionId: other } },
          { name: 'users.txt', owner: { by: 'user' } },
        ],
      },
    ],
  })
  await answered(question, { decision: 'deny' })
}, 60_000)

test('a copy needs something to be lost, and a file that may not be read stops the command', async () => {
  write('a.txt', 'one\n')
  model.push(calls('Bash', { command: 'touch b.txt' }), says('Done.'))
  engine.runner.send(sessionId, 'Go', [])
  await expect.poll(() => engine.runner.questions().length, { timeout: 20_000 }).toBe(1)
  const question = engine.runner.questions()[0]?.question as Question
  expect(question.losses).toBeUndefined()
  expect(() => engine.runner.answer(question.id, { decision: 'allow', scope: 'once', copy: true })).toThrow(
    'There is nothing to keep a copy of.',
  )
  await answered(question, { decision: 'deny' })
  if (process.getuid?.() === 0) return
  chmodSync(join(workspace, 'a.txt'), 0)
  const second = await asked('rm -f a.txt')
  expect((await withCopy(second)).state.status).toBe('failed')
  expect(existsSync(join(workspace, 'a.txt'))).toBe(true)
}, 60_000)
