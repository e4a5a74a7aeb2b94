import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, gate, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import { thisProcess } from './owner'
import { type Bench, createBench, sketches } from './test-bench'

let bench: Bench<ScriptedModel>
beforeEach(async () => {
  bench = createBench(await scriptedModel())
})
afterEach(() => bench.close())

const append = (name: string) => `echo x >> ${join(bench.folder, name)}`
const lines = (name: string) => {
  const path = join(bench.folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
}

/** A run whose model wants a command, which is asked about. */
const askOnce = async () => {
  bench.model.push(calls('Bash', { command: append('out') }))
  const first = bench.start()
  const id = first.newSession()
  first.runner.send(id, 'go', [])
  return { first, id, question: await first.question() }
}

/** A run whose model wants two commands, which are both asked about. */
const askTwice = () => {
  const commands = ['out', 'behind'].map((name) => ({ call: 'Bash', args: { command: append(name) } }))
  bench.model.push(commands)
  const first = bench.start()
  const id = first.newSession()
  first.runner.send(id, 'go', [])
  return { first, id }
}

test('a turn that was cut by a crash is shown as interrupted, and the session goes on', async () => {
  const held = gate()
  bench.model.push([{ text: 'half an answer' }, { gate: held }])
  const first = bench.start()
  const id = first.newSession()
  first.runner.send(id, 'go', [])
  await first.event('delta')
  await expect.poll(() => JSON.stringify(first.store.messages.last(id)?.parts)).toContain('half an answer')
  first.crash()
  held.open()

  const second = bench.start()
  expect(second.store.sessions.get(id).status).toBe('interrupted')
  expect(sketches(second.transcript(id))).toEqual(['user: go', 'assistant: half an answer', 'system: (interrupted)'])
  expect(second.transcript(id).messages.every(({ streaming }) => !streaming)).toBe(true)
  bench.model.push(says('and the rest'))
  second.runner.retry(id)
  expect(await second.turnEnd(id)).toMatchObject({ reason: 'done', text: 'and the rest' })
  expect(second.store.sessions.get(id).status).toBe('idle')
})

test('a command that ran during the crash is aborted and never run again by itself', async () => {
  bench.model.push([
    { call: 'Bash', args: { command: `${append('out')}; sleep 985` } },
    { call: 'Bash', args: { command: append('later') } },
  ])
  const first = bench.start()
  const id = first.newSession('all')
  first.runner.send(id, 'go', [])
  await expect.poll(() => lines('out'), { timeout: 20_000 }).toBe(1)
  first.crash()

  const second = bench.start()
  const { calls: left } = second.transcript(id)
  expect(left.map(({ state }) => state)).toMatchObject([
    { status: 'aborted', message: 'Deckhand closed while this was running. It was not started again.' },
    { status: 'aborted', message: 'Deckhand closed before this started. It was not run.' },
  ])
  bench.model.push(says('I see'))
  second.runner.send(id, 'what happened?', [])
  await second.turnEnd(id)
  expect([lines('out'), lines('later')]).toEqual([1, 0])
  expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('It was not started again')
  for (const process of first.table.list()) first.table.kill(process.id)
})

test('a question outlives a crash; answered then, its call runs once and those behind it follow', async () => {
  const { first, id } = askTwice()
  const question = await first.question()
  await expect.poll(() => first.runner.questions().length).toBe(2)
  first.runner.send(id, 'and then this', [])
  first.crash()

  const second = bench.start()
  expect(second.store.sessions.get(id)).toMatchObject({ status: 'waiting', waiting: 2 })
  expect(second.runner.questions()).toMatchObject([{ question }, { question: { command: append('behind') } }])
  second.runner.send(id, 'this too', [])
  bench.model.push(says('all done'), says('then'), says('too'))
  second.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  expect(() => second.runner.answer(question.id, { decision: 'allow', scope: 'once' })).toThrow('answered already')
  const behind = await second.question(append('behind'))
  expect([lines('out'), lines('behind')]).toEqual([1, 0])
  second.runner.answer(behind.id, { decision: 'allow', scope: 'once' })
  await second.turnEnd(id, 3)
  expect([lines('out'), lines('behind')]).toEqual([1, 1])
  expect(sketches(second.transcript(id))).toEqual([
    'user: go',
    'assistant: [done] [done]',
    'assistant: all done',
    'user: and then this',
    'assistant: then',
    'user: this too',
    'assistant: too',
  ])
})

test('a question outlives an orderly quit as well, and two restarts', async () => {
  const { first, id, question } = await askOnce()
  await first.close()
  await bench.start().close()
  const third = bench.start()
  expect(third.runner.questions()).toMatchObject([{ question }])
  bench.model.push(says('fine, not then'))
  third.runner.answer(question.id, { decision: 'deny', note: 'no' })
  expect(await third.turnEnd(id)).toMatchObject({ reason: 'done' })
  expect(lines('out')).toBe(0)
})

test('an answer counts only for what was shown', async () => {
  const { first, id, question } = await askOnce()
  first.crash()
  const second = bench.start()
  // Meanwhile the session moved to another folder, where the same words mean something else.
  second.runner.updateSession(id, { workspace: '/' })
  second.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  const asked = await second.question()
  expect(asked).toMatchObject({ command: append('out'), cwd: '/' })
  expect(asked.id).not.toBe(question.id)
  expect(lines('out')).toBe(0)
})

test('a quit in the middle of a turn is an interruption, not a failure', async () => {
  bench.model.push(calls('Bash', { command: 'sleep 984' }))
  const first = bench.start()
  const id = first.newSession('all')
  first.runner.send(id, 'go', [])
  await first.event('process', ({ process }) => process.status === 'running')
  await first.close()
  const second = bench.start()
  expect(sketches(second.transcript(id))).toEqual(['user: go', 'assistant: [aborted]', 'system: (interrupted)'])
  expect(second.store.sessions.get(id).status).toBe('interrupted')
})

test('another process on the same data does not take a running turn for a crashed one', async () => {
  const held = gate()
  bench.model.push([{ text: 'busy' }, { gate: held }])
  const first = bench.start({ owner: thisProcess() })
  const id = first.newSession()
  first.runner.send(id, 'go', [])
  await first.event('delta')
  const second = bench.start()
  expect(second.store.sessions.get(id).status).toBe('running')
  expect(() => second.runner.send(id, 'me too', [])).toThrow('Another running Deckhand')
  held.open()
  expect(await first.turnEnd(id)).toMatchObject({ reason: 'done' })
})

test('stop settles a question of an earlier run, and the session is free again', async () => {
  const { first, id } = askTwice()
  await first.question()
  first.crash()
  const second = bench.start()
  second.runner.stop(id)
  expect(sketches(second.transcript(id))).toEqual(['user: go', 'assistant: [aborted] [aborted]'])
  expect(second.store.sessions.get(id)).toMatchObject({ status: 'idle', waiting: 0 })
  bench.model.push(says('fine'))
  second.runner.send(id, 'never mind', [])
  expect(await second.turnEnd(id)).toMatchObject({ reason: 'done', text: 'fine' })
})

test('the pause of a loop outlives a restart, with either answer', async () => {
  for (const goOn of [true, false]) {
    const first = bench.start()
    const id = first.newSession('all')
    bench.model.push(...Array.from({ length: 5 }, () => calls('Bash', { command: 'echo same; sleep 0' })))
    first.runner.send(id, 'go', [])
    const question = await first.question()
    expect(question.kind).toBe('loop')
    first.crash()
    const second = bench.start()
    if (goOn) bench.model.push(says('went on'))
    second.runner.answer(question.id, goOn ? { decision: 'allow', scope: 'once' } : { decision: 'deny' })
    if (goOn) expect(await second.turnEnd(id)).toMatchObject({ reason: 'done', text: 'went on' })
    expect(second.store.sessions.get(id)).toMatchObject({ status: 'idle', waiting: 0 })
    expect(second.transcript(id).calls.at(-1)?.state.status).toBe(goOn ? 'done' : 'denied')
  }
})

test('a process that another run has going on is left alone', async () => {
  bench.model.push(calls('Bash', { command: 'sleep 982', background: true }), says('started'))
  const first = bench.start({ owner: thisProcess() })
  const id = first.newSession('all')
  first.runner.send(id, 'go', [])
  await first.turnEnd(id)
  const [process] = first.table.list()
  expect(bench.start().table.list()).toEqual([])
  expect(first.store.processes.load()).toMatchObject([{ id: process?.id, status: 'running' }])
})
