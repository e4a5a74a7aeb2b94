import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type ModelRequest, type ScriptedModel, says, scriptedModel, type Turn } from '../../e2e/scripted-model'
import type { Engine, EngineOptions } from '../engine'
import { openEngine, saveScripted } from './test-engine'

let root = ''
let model: ScriptedModel
let engine: Engine
let answers: (request: ModelRequest) => Turn

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-caps-'))
  mkdirSync(join(root, 'workspace'))
  model = await scriptedModel([], { models: ['scripted'], otherwise: (request) => answers(request) })
})
afterEach(async () => {
  await engine.close()
  await model.close()
  rmSync(root, { recursive: true, force: true })
})

/** The price of the model: $1 for a million tokens in, $2 for a million out. */
const start = async (options: Partial<EngineOptions> = {}): Promise<void> => {
  engine = await openEngine(join(root, 'data'), options)
  const id = await saveScripted(engine, model)
  engine.updateSettings({ defaultModel: id, modelCorrections: { [id]: { price: { input: 1, output: 2 } } } })
}

const isChild = ({ body }: ModelRequest) => JSON.stringify(body.messages[0]).includes('sub-agent of Deckhand')
const hasResult = ({ body }: ModelRequest) => body.messages.some(({ role }: { role: string }) => role === 'tool')

test('what sub-agents use counts towards the cap of their session', async () => {
  await start()
  engine.updateSettings({ sessionCap: 0.1 })
  answers = (request) => {
    if (isChild(request)) return [...says('Seven.'), { usage: { input: 80_000, output: 100 } }]
    return hasResult(request) ? says('There are seven.') : calls('Task', { prompt: 'How many boats?' })
  }
  const session = engine.createSession({ mode: 'all', workspace: join(root, 'workspace') })
  const end = await engine.runner.sendAndWait(session.id, 'Count the boats.')
  expect(end).toMatchObject({ reason: 'cap', error: { message: expect.stringMatching(/\$0\.080\d used so far/) } })
  expect(engine.runner.spending(session.id).session).toMatchObject({ requests: 2 })
  expect(engine.store.usage.history('2026-01-01', '9999-12-31').sessions).toMatchObject([{ sessionId: session.id }])
})

test('a sub-agent stops at the cap of the run that it belongs to', async () => {
  await start({ runCap: { dollars: 0.06, tokens: 0 } })
  answers = (request) => {
    if (isChild(request)) return calls('List', { path: '.' })
    return hasResult(request)
      ? says('It was too expensive.')
      : [...calls('Task', { prompt: 'Look around.' }), { usage: { input: 20_000, output: 0 } }]
  }
  const session = engine.createSession({ mode: 'all', workspace: join(root, 'workspace') })
  answers = ((given) => (request: ModelRequest) => {
    const turn = given(request)
    return isChild(request) ? [...turn, { usage: { input: 5000, output: 0 } }] : turn
  })(answers)
  const end = await engine.runner.sendAndWait(session.id, 'Look.')
  expect(end.reason).toBe('cap')
  const task = engine.store.messages.page(session.id, undefined, 50).calls.find(({ name }) => name === 'Task')
  expect(task?.state).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('for this run') } })
})

test('a run of a job ends at the cap of the job, and its history says why', async () => {
  await start()
  answers = () => [...says('Done.'), { usage: { input: 10, output: 10 } }]
  const add = (name: string, maxCost: number) =>
    engine.schedule.add(
      { name, schedule: { kind: 'every', everyHours: 1 }, spec: { mode: 'task', message: 'Look.' }, maxCost },
      { by: 'user' },
    )
  const tight = await add('tight', 0.001)
  const wide = await add('wide', 5)
  const run = async (id: string) => (await engine.schedule.run({ mode: 'force', id, waitMs: 60_000 })).results[0]
  expect(await run(tight.job.id)).toMatchObject({
    status: 'error',
    error: expect.stringContaining('the cap of $0.001 for a run of this job'),
  })
  expect(await run(wide.job.id)).toMatchObject({ status: 'ok' })
  expect(engine.schedule.job(wide.job.id).maxCost).toBe(5)
  expect(model.requests).toHaveLength(1)
})

test.each([
  { overrides: {}, steps: 20, reason: 'limit' },
  { overrides: { maxIterations: 200 }, steps: 23, reason: 'done' },
])(
  'clawft stops after 20 steps, unless the command says otherwise: $overrides',
  async ({ overrides, steps, reason }) => {
    await start({ overrides, interactive: false })
    let asked = 0
    answers = () => (++asked === 23 ? says('Done.') : calls('read_file', { path: `${asked}.txt` }))
    const session = engine.createSession({ mode: 'all', toolset: 'clawft', workspace: join(root, 'workspace') })
    expect(await engine.runner.sendAndWait(session.id, 'Look.')).toMatchObject({ reason })
    expect(asked).toBe(steps)
  },
)
