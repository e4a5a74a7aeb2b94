import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  calls,
  gate,
  type ModelRequest,
  type ScriptedModel,
  says,
  scriptedModel,
  type Turn,
} from '../../e2e/scripted-model'
import type { Question } from '../../src-preload/contract/approval'
import type { Engine } from '../engine'
import { makeFolder, removeFolder } from '../test-folder'
import { openEngine, saveScripted } from './test-engine'

let root = ''
let workspace = ''
let model: ScriptedModel
let engine: Engine
let answers: (request: ModelRequest) => Turn

beforeEach(async () => {
  root = makeFolder('collisions')
  workspace = join(root, 'workspace')
  mkdirSync(workspace)
  model = await scriptedModel([], { models: ['scripted'], otherwise: (request) => answers(request) })
  engine = await openEngine(join(root, 'data'), { interactive: true })
  engine.updateSettings({ defaultModel: await saveScripted(engine, model) })
})
afterEach(async () => {
  await engine.close()
  await model.close()
  removeFolder(root)
})

const newSession = (title: string): string => engine.createSession({ mode: 'all', workspace, title }).id
const at = (name: string): string => join(workspace, name)
const text = (name: string): string => readFileSync(at(name), 'utf8')
const make = async (sessionId: string, name: string, input: object): Promise<boolean> => {
  const { signal } = new AbortController()
  return !(await engine.runner.call(sessionId, name, JSON.stringify(input), { signal })).isError
}

/** Answers every question, and tells of it. */
const answering = (answer: (question: Question) => boolean): Question[] => {
  const asked: Question[] = []
  const open = new Set<string>()
  engine.subscribe((event) => {
    if (event.type !== 'call' || event.call.state.status !== 'awaiting') return
    const { question } = event.call.state
    if (open.has(question.id)) return
    open.add(question.id)
    asked.push(question)
    setImmediate(() => {
      const allowed = answer(question)
      engine.runner.answer(question.id, allowed ? { decision: 'allow', scope: 'once' } : { decision: 'deny' })
    })
  })
  return asked
}

test('an edit of what another session changed since it was read asks, with both differences', async () => {
  writeFileSync(at('plan.md'), 'one\ntwo\n')
  const [first, second] = [newSession('First'), newSession('Second')]
  const asked = answering(() => true)
  const step = ({ body }: ModelRequest): number =>
    body.messages.filter(({ role }: { role: string }) => role === 'tool').length
  const isFirst = ({ body }: ModelRequest): boolean => JSON.stringify(body.messages).includes('Work as the first')
  answers = (request) => {
    if (!isFirst(request))
      return step(request) === 0 ? calls('Write', { path: 'plan.md', content: 'one\nTWO\n' }) : says('Second is done.')
    const steps = [calls('Read', { path: 'plan.md' }), says('Read it.')]
    const later = [calls('Write', { path: 'plan.md', content: 'ONE\ntwo\n' }), says('Wrote it.')]
    return (
      [...steps, ...later][
        JSON.stringify(request.body.messages).includes('Now write') ? step(request) + 1 : step(request)
      ] ?? says('?')
    )
  }
  await engine.runner.sendAndWait(first, 'Work as the first: read it')
  await engine.runner.sendAndWait(second, 'Change it')
  expect(asked).toEqual([])
  await engine.runner.sendAndWait(first, 'Now write it')
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({
    sessionId: first,
    reason: 'The session “Second” changed plan.md after this session last read it',
    diff: [
      { path: 'plan.md', patch: expect.stringContaining('+ONE') },
      { path: 'plan.md', by: 'the session “Second”', patch: expect.stringContaining('-two\n+TWO') },
    ],
  })
  expect(text('plan.md')).toBe('ONE\ntwo\n')
  // What it wrote itself it knows.
  expect(await make(first, 'Write', { path: 'plan.md', content: 'three\n' })).toBe(true)
  expect(asked).toHaveLength(1)
  // A command counts as well, as far as it can be read.
  expect(await make(second, 'Bash', { command: 'echo four > plan.md' })).toBe(true)
  expect(asked).toHaveLength(2)
})

test('a command whose files are known only afterwards is told of, and counts as a change', async () => {
  writeFileSync(at('gen.sh'), 'echo generated >> out.txt\n')
  const [first, second] = [newSession('First'), newSession('Second')]
  const asked = answering(() => true)
  answers = ({ body }) =>
    body.messages.some(({ role }: { role: string }) => role === 'tool')
      ? says('Done.')
      : calls('Bash', { command: 'sleep 0.5; sh gen.sh' })
  // Both work at the same time, and so are told of each other.
  await Promise.all([engine.runner.sendAndWait(first, 'Generate'), engine.runner.sendAndWait(second, 'Generate')])
  await engine.receipts.settled()
  const told = (id: string): string => JSON.stringify(engine.store.messages.page(id, undefined, 50).messages)
  expect(told(first)).toContain('Another session, “Second”, works in this folder at the same time.')
  expect(told(second)).toContain('Another session, “First”, works in this folder at the same time.')
  expect(asked).toEqual([])
})

test('a session that begins to work in a folder is told what another has changed there, and which port it holds', async () => {
  const [first, second] = [newSession('First'), newSession('Second')]
  answering(() => true)
  const held = gate()
  const server = `require('net').createServer().listen(0, '127.0.0.1', function () { console.log('port ' + this.address().port) })`
  writeFileSync(at('server.cjs'), server)
  const results = ({ body }: ModelRequest): number =>
    body.messages.filter(({ role }: { role: string }) => role === 'tool').length
  answers = (request) => {
    if (!JSON.stringify(request.body.messages).includes('Serve it')) return says('Hello.')
    const steps = [
      calls('Write', { path: 'notes.md', content: 'one\n' }),
      calls('Bash', { command: 'node server.cjs', background: true }),
      [{ gate: held }, { text: 'It runs.' }],
    ]
    return steps[results(request)] ?? says('?')
  }
  const serving = engine.runner.sendAndWait(first, 'Serve it')
  await held.reached
  // The port is known when its owner is looked at.
  const port = await vi.waitFor(
    () => {
      const [found] = engine.receipts.list(first).flatMap((each) => each.ports)
      return found?.port ?? expect.fail('no port yet')
    },
    { timeout: 20_000, interval: 100 },
  )
  await engine.runner.sendAndWait(second, 'Hello')
  const told = JSON.stringify(engine.store.messages.page(second, undefined, 50).messages)
  expect(told).toContain('Another session, “First”, works in this folder at the same time.')
  expect(told).toContain('It has changed notes.md.')
  expect(told).toContain(`It holds port ${port}.`)
  held.open()
  await serving
})

test('what another Deckhand on the same data has changed since asks by its name, a change by nobody known before it is thrown away', async () => {
  const other = await openEngine(join(root, 'data'), { interactive: true })
  try {
    const mine = newSession('Mine')
    const theirs = other.createSession({ mode: 'all', workspace, title: 'Theirs' }).id
    const call = (engineOf: Engine, sessionId: string, name: string, input: object) =>
      engineOf.runner.call(sessionId, name, JSON.stringify(input), { signal: new AbortController().signal })
    let allow = false
    const asked = answering(() => allow)
    writeFileSync(at('plan.md'), 'one\ntwo\n')
    expect(await make(mine, 'Read', { path: 'plan.md' })).toBe(true)
    expect((await call(other, theirs, 'Write', { path: 'plan.md', content: 'one\nTWO\n' })).isError).toBeFalsy()
    await other.receipts.settled()
    expect(await make(mine, 'Edit', { path: 'plan.md', oldString: 'one', newString: 'ONE' })).toBe(false)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({
      reason: 'The session “Theirs” changed plan.md after this session last read it',
      diff: [{ path: 'plan.md' }, { path: 'plan.md', by: 'the session “Theirs”' }],
    })
    expect(text('plan.md')).toBe('one\nTWO\n')
    // Whoever has read it again knows; what it wrote itself it knows as well.
    expect(await make(mine, 'Read', { path: 'plan.md' })).toBe(true)
    expect(await make(mine, 'Edit', { path: 'plan.md', oldString: 'one', newString: 'ONE' })).toBe(true)
    expect(await make(mine, 'Write', { path: 'plan.md', content: 'three\n' })).toBe(true)
    // The other one has not seen that, and writes over a file that it knows no longer.
    const askedThere: string[] = []
    other.subscribe((event) => {
      if (event.type !== 'call' || event.call.state.status !== 'awaiting') return
      const { id, reason } = event.call.state.question
      if (askedThere.push(`${reason}`) === 1)
        setImmediate(() => other.runner.answer(id, { decision: 'allow', scope: 'once' }))
    })
    await engine.receipts.settled()
    expect((await call(other, theirs, 'Write', { path: 'plan.md', content: 'four\n' })).isError).toBeFalsy()
    expect(askedThere).toEqual(['The session “Mine” changed plan.md after this session last read it'])

    // A command of its own explains a change; an editor's is asked about only where it would be lost.
    expect(await make(mine, 'Read', { path: 'plan.md' })).toBe(true)
    writeFileSync(at('own.sh'), 'echo five > plan.md\n')
    expect(await make(mine, 'Bash', { command: 'sh own.sh' })).toBe(true)
    expect(await make(mine, 'Write', { path: 'plan.md', content: 'six\nseven\n' })).toBe(true)
    expect(asked).toHaveLength(1)
    writeFileSync(at('plan.md'), 'six\nby hand\n')
    expect(await make(mine, 'Edit', { path: 'plan.md', oldString: 'six', newString: 'SIX' })).toBe(true)
    expect(text('plan.md')).toBe('SIX\nby hand\n')
    writeFileSync(at('plan.md'), 'by hand again\n')
    expect(await make(mine, 'Write', { path: 'plan.md', content: 'gone\n' })).toBe(false)
    expect(asked[1]).toMatchObject({ reason: 'Another program changed plan.md after this session last read it' })
    expect(text('plan.md')).toBe('by hand again\n')
    allow = true
    expect(await make(mine, 'Write', { path: 'plan.md', content: 'gone\n' })).toBe(true)
  } finally {
    await other.close()
  }
})

test('a file that changes while its question waits is not written over', async () => {
  const mine = engine.createSession({ mode: 'ask', workspace, title: 'Mine' }).id
  writeFileSync(at('plan.md'), 'one\n')
  answering((question) => {
    writeFileSync(at('plan.md'), `${question.kind} while it waited\n`)
    return true
  })
  expect(await make(mine, 'Write', { path: 'plan.md', content: 'two\n' })).toBe(false)
  expect(text('plan.md')).toContain('while it waited')
})
