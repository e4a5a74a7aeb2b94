import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ScriptedModel, says } from '../../e2e/scripted-model'
import { decide } from '../approval/decide'
import { localFileView } from '../approval/paths/file-view'
import { type Bench, type Run, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(() => bench.close())

const text = (name: string) => (existsSync(bench.file(name)) ? readFileSync(bench.file(name), 'utf8') : '')
const bash = (...commands: string[]) => commands.map((command) => ({ call: 'Bash', args: { command } }))
const once = { decision: 'allow', scope: 'once' } as const
const open = () => run.runner.questions().map(({ question }) => question)
const waiting = (count: number) => expect.poll(() => open().length, { timeout: 20_000 }).toBe(count)

test('all calls of a message ask at once, may be answered in any order, and run in theirs', async () => {
  const command = (word: string) => `echo ${word} >> ${bench.file('out')}`
  bench.model.push(bash(command('one'), command('two'), command('three')), says('done'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  await waiting(3)
  expect(open().map((question) => question.command)).toEqual(['one', 'two', 'three'].map(command))
  expect(run.store.sessions.get(id)).toMatchObject({ status: 'waiting', waiting: 3 })
  for (const question of open().reverse()) run.runner.answer(question.id, once)
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'done' })
  expect(text('out')).toBe('one\ntwo\nthree\n')
  expect(run.transcript(id).calls.map(({ grant }) => grant?.by)).toEqual(['user', 'user', 'user'])
})

test('one that is denied ahead is denied when it comes by, and the others run', async () => {
  bench.model.push(
    bash(`echo a >> ${bench.file('out')}`, `echo b >> ${bench.file('out')}`, `echo c >> ${bench.file('out')}`),
    says('done'),
  )
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  await waiting(3)
  const [first, second, third] = open()
  run.runner.answer(second?.id ?? '', { decision: 'deny', note: 'not this' })
  run.runner.answer(third?.id ?? '', once)
  expect(text('out')).toBe('')
  run.runner.answer(first?.id ?? '', once)
  await run.turnEnd(id)
  expect(text('out')).toBe('a\nc\n')
  expect(run.transcript(id).calls.map(({ state }) => state.status)).toEqual(['done', 'denied', 'done'])
})

test('an answer for the whole session lets go the questions that were put ahead', async () => {
  bench.model.push(bash('echo a', 'echo b', 'echo c'), says('done'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  await waiting(3)
  run.runner.answer(open()[0]?.id ?? '', { decision: 'allow', scope: 'session' })
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'done' })
  expect(run.transcript(id).calls.map(({ grant }) => grant?.by)).toEqual(['user', 'rule', 'rule'])
})

test('stop settles them all', async () => {
  bench.model.push(bash('echo a', 'echo b'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  await waiting(2)
  run.runner.stop(id)
  await run.turnEnd(id)
  expect(open()).toEqual([])
  expect(run.transcript(id).calls.map(({ state }) => state.status)).toEqual(['aborted', 'aborted'])
})

test('after a restart they are still open, and an answer lets the turn go on', async () => {
  bench.model.push(bash(`echo a >> ${bench.file('out')}`, `echo b >> ${bench.file('out')}`), says('done'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  await waiting(2)
  run = bench.start()
  await waiting(2)
  const [first, second] = open()
  run.runner.answer(second?.id ?? '', once)
  run.runner.answer(first?.id ?? '', once)
  await run.turnEnd(id)
  expect(text('out')).toBe('a\nb\n')
})

test('with the real gate: what became dangerous meanwhile asks again, with its word', async () => {
  run = bench.start({ decide: (access, policy) => decide(access, policy, localFileView('/nowhere', '/usr/bin:/bin')) })
  bench.model.push(bash('git init -q . && echo x > a.txt', 'git clean -fd'), says('done'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  await waiting(2)
  const [first, second] = open()
  // Before the first has run there is nothing to clean.
  expect(second?.typedWord).toBeUndefined()
  run.runner.answer(second?.id ?? '', once)
  run.runner.answer(first?.id ?? '', once)
  await expect.poll(() => open()[0]?.typedWord, { timeout: 10_000 }).toBe('delete')
  expect(open()[0]?.id).not.toBe(second?.id)
  expect(text('a.txt')).toBe('x\n')
  run.runner.answer(open()[0]?.id ?? '', { decision: 'deny' })
  await run.turnEnd(id)
  expect(text('a.txt')).toBe('x\n')
})
