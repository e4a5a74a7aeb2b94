import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, gate, type ScriptedModel, says } from '../../e2e/scripted-model'
import { type Bench, type Run, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(() => bench.close())

test('the answer is to this very message, also when it had to wait for another', async () => {
  const hold = gate()
  bench.model.push([{ text: 'First ' }, { gate: hold }, { text: 'answer.' }], says('Second answer.'))
  const id = run.newSession()
  run.runner.send(id, 'One', [])
  let started = false
  const second = run.runner.sendAndWait(id, 'Two', { started: () => (started = true) })
  await run.event('delta')
  expect(started).toBe(false)
  hold.open()
  expect(await second).toMatchObject({ reason: 'done', text: 'Second answer.' })
  expect(started).toBe(true)
})

test('a question of such a turn says where it comes from', async () => {
  bench.model.push(calls('Bash', { command: 'touch x' }), says('Done.'), says('Hello.'))
  const id = run.newSession()
  const origin = { label: 'Scheduled: backup', mayDoAll: false }
  const answered = run.runner.sendAndWait(id, 'Go', { origin })
  const question = await run.question('touch x')
  expect(question.ancestry).toEqual([id, 'Scheduled: backup'])
  expect(run.store.sessions.origin(id)).toEqual(origin)
  run.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  expect(await answered).toMatchObject({ reason: 'done' })
  run.runner.send(id, 'Thanks', [])
  expect(run.store.sessions.origin(id)).toBe(null)
  await run.turnEnd(id, 2)
})

test('it can be called off, in the queue and in the middle', async () => {
  const hold = gate()
  bench.model.push([{ text: 'Working…' }, { gate: hold }])
  const id = run.newSession()
  const first = new AbortController()
  const second = new AbortController()
  const running = run.runner.sendAndWait(id, 'One', { signal: first.signal })
  const queued = run.runner.sendAndWait(id, 'Two', { signal: second.signal })
  second.abort(new Error('not any more'))
  await expect(queued).rejects.toThrow('not any more')
  expect(run.store.queue.list(id)).toEqual([])
  await run.event('delta')
  first.abort()
  expect(await running).toMatchObject({ reason: 'stopped' })
  hold.open()
})

test('a message that the user takes back, or that the app closes on, is not waited for', async () => {
  const hold = gate()
  bench.model.push([{ text: 'Working…' }, { gate: hold }])
  const id = run.newSession()
  const running = run.runner.sendAndWait(id, 'One')
  const queued = run.runner.sendAndWait(id, 'Two')
  const left = expect(queued).rejects.toThrow('withdrawn')
  run.runner.removeQueued(id, run.store.queue.list(id)[0]?.id ?? '')
  await left
  const closed = expect(running).rejects.toThrow('closed')
  await run.close()
  await closed
  hold.open()
})
