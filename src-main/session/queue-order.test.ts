import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, gate, type ScriptedModel, says } from '../../e2e/scripted-model'
import { type Bench, heldAt, type Run, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(() => bench.close())

/** What the user has said, in the order in which the session has it. */
const said = (from: Run, id: string): string[] =>
  from
    .transcript(id)
    .messages.filter(({ role }) => role === 'user')
    .map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))

test('a turn at its limit says so and holds the queue; it continues, and then the queue goes in order', async () => {
  const short = bench.start({ settings: { maxIterations: 2 } })
  const held = gate()
  bench.model.push(
    calls('Bash', { command: 'echo 1' }),
    [{ gate: held }, ...calls('Bash', { command: 'echo 2' })],
    says('finished'),
    says('to two'),
    says('to three'),
  )
  const id = short.newSession('all')
  short.runner.send(id, 'one', [])
  await held.reached
  short.runner.send(id, 'two', [])
  short.runner.send(id, 'three', [])
  held.open()
  short.runner.answer((await short.question()).id, { decision: 'deny' })
  expect(await short.turnEnd(id)).toMatchObject({ reason: 'limit' })
  const last = short.transcript(id).messages.at(-1)
  expect(last?.parts).toEqual([{ type: 'notice', notice: { kind: 'limit', text: 'Paused after 2 steps.' } }])
  expect(short.store.queue.list(id).map(({ text }) => text)).toEqual(['two', 'three'])
  short.runner.retry(id)
  await short.turnEnd(id, 4)
  expect(said(short, id)).toEqual(['one', 'two', 'three'])
  // The pause is between Deckhand and the user.
  expect(JSON.stringify(bench.model.requests.map(({ body }) => body))).not.toContain('Paused after')
})

test('what was queued before a stop goes before what is sent after it', async () => {
  const { id, held } = await heldAt(bench.model, run, 'one', 'a')
  bench.model.push(says('to two'), says('to three'), says('to four'))
  run.runner.send(id, 'two', [])
  run.runner.send(id, 'three', [])
  run.runner.stop(id)
  await run.turnEnd(id)
  run.runner.send(id, 'four', [])
  await run.turnEnd(id, 4)
  expect(said(run, id)).toEqual(['one', 'two', 'three', 'four'])
  held.open()
})

test('a queued message that is sent at once goes first, whether the turn runs, is being stopped or is over', async () => {
  const { id, held } = await heldAt(bench.model, run, 'one', 'a')
  bench.model.push(says('to three'), says('to two'))
  for (const text of ['two', 'three', 'four']) run.runner.send(id, text, [])
  const queued = () => run.store.queue.list(id)
  run.runner.stop(id)
  run.runner.steerQueued(id, queued()[2]?.id ?? '')
  expect(queued().map(({ text }) => text)).toEqual(['four', 'two', 'three'])
  await run.turnEnd(id)
  run.runner.removeQueued(id, queued()[0]?.id ?? '')
  run.runner.steerQueued(id, queued()[1]?.id ?? '')
  await run.turnEnd(id, 3)
  expect(said(run, id)).toEqual(['one', 'three', 'two'])
  held.open()
})
