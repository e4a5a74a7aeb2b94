import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import { type Bench, createBench } from './test-bench'

let bench: Bench<ScriptedModel>
beforeEach(async () => {
  bench = createBench(await scriptedModel())
})
afterEach(() => bench.close())

test('after its first turn a session is named by its model, once, in a request without tools', async () => {
  const run = bench.start({ titles: true })
  bench.model.push(says('There are three tests.'), says('“Tests in the folder.”'), says('You are welcome.'))
  const id = run.newSession('all')
  run.runner.send(id, 'please tell me which tests are in here and what they do', [])
  await run.event('session', ({ session }) => session.title === 'Tests in the folder')
  expect(bench.model.requests[1]?.body.tools ?? []).toEqual([])
  run.runner.send(id, 'thanks', [])
  await run.turnEnd(id, 2)
  expect(bench.model.requests).toHaveLength(3)
  expect(run.store.sessions.get(id)).toMatchObject({ title: 'Tests in the folder', autoTitle: true })
})

test('a title that the user gave stays, and a failure leaves the first message', async () => {
  const run = bench.start({ titles: true })
  bench.model.push(says('Hello.'), [{ status: 400, body: { error: { message: 'no' } } }], says('Hello again.'))
  const failed = run.newSession('all')
  run.runner.send(failed, 'greet me', [])
  await run.turnEnd(failed)
  await expect.poll(() => bench.model.requests.length).toBe(2)
  const named = run.newSession('all')
  run.runner.updateSession(named, { title: 'Mine' })
  run.runner.send(named, 'greet me', [])
  await run.turnEnd(named, 1)
  expect(run.store.sessions.get(failed).title).toBe('greet me')
  expect(run.store.sessions.get(named).title).toBe('Mine')
  expect(bench.model.requests).toHaveLength(3)
})

test('nothing is spent on titles where that is switched off or spending is capped', async () => {
  for (const settings of [{ modelTitles: false }, { dayCap: 5 }]) {
    const run = bench.start({ titles: true, settings })
    const before = bench.model.requests.length
    bench.model.push(says('Hello.'))
    const id = run.newSession('all')
    run.runner.send(id, 'greet me', [])
    await run.turnEnd(id)
    await run.close()
    expect(bench.model.requests).toHaveLength(before + 1)
  }
})
