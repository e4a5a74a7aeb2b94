import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gate, type ScriptedModel, says, scriptedModel, type Turn } from '../../e2e/scripted-model'
import { openDatabase } from '../database'
import { migrations } from '../schema'
import { thisProcess } from './owner'
import { createStore } from './store'
import { type Bench, createBench, heldAt, type Run, sketches } from './test-bench'
import { dayOf } from './usage-rows'

let bench: Bench<ScriptedModel>
beforeEach(async () => {
  bench = createBench(await scriptedModel())
})
afterEach(() => bench.close())

const answer = (input: number, output: number, cached = 0): Turn => [
  ...says('ok'),
  { usage: { input, output, cached } },
]

/** Sends a message and waits for the end of its turn. */
const turn = (run: Run, id: string, text = 'go') => run.runner.sendAndWait(id, text)

const today = () => dayOf(Date.now())
/** No tools, so that the size of a request is known: next to nothing, and 16,384 tokens for the answer. */
const bare = { tools: new Map(), price: { input: 1, output: 2 } }

describe('what was used', () => {
  test('is added up by day, model and session as it happens, and told', async () => {
    const run = bench.start({ price: { input: 1, output: 2, cached: 0.1 } })
    bench.model.push(answer(1000, 500, 800), answer(2000, 100))
    const [one, two] = [run.newSession(), run.newSession()]
    await turn(run, one)
    await turn(run, two)
    const first = (200 + 80 + 1000) / 1e6
    const second = (2000 + 200) / 1e6
    const history = run.store.usage.history(today(), today())
    expect(history.total).toEqual({
      requests: 2,
      inputTokens: 3000,
      outputTokens: 600,
      cachedTokens: 800,
      cacheWriteTokens: 0,
      cost: expect.closeTo(first + second, 9),
      unpricedTokens: 0,
    })
    expect(history.days.map(({ day, requests }) => [day, requests])).toEqual([[today(), 2]])
    expect(history.models.map(({ model, requests }) => [model, requests])).toEqual([['scripted', 2]])
    expect(history.sessions.map(({ sessionId, title }) => [sessionId, title])).toEqual([
      [two, 'go'],
      [one, 'go'],
    ])
    const told = run.events.filter((event) => event.type === 'spending').at(-1)
    expect(told).toMatchObject({
      sessionId: two,
      turn: { requests: 1, inputTokens: 2000 },
      session: { requests: 1 },
      month: { requests: 2, cachedTokens: 800 },
    })
    expect(run.runner.spending(one)).toMatchObject({ sessionId: one, turn: { requests: 1 }, today: { requests: 2 } })
    run.runner.deleteSession(two)
    expect(run.store.usage.history(today(), today()).sessions[0]).toMatchObject({ sessionId: two, title: null })
  })

  test('of a model without a price has an unknown cost, never 0', async () => {
    const run = bench.start({ price: null })
    bench.model.push(answer(1000, 500))
    const id = run.newSession()
    const end = await turn(run, id)
    expect(end.usage).toMatchObject({ cost: null, unpricedTokens: 1500 })
    expect(run.store.sessions.get(id).usage).toMatchObject({ cost: null, unpricedTokens: 1500 })
    expect(run.store.usage.month()).toMatchObject({ cost: null, unpricedTokens: 1500 })
    expect(run.transcript(id).messages[1]?.usage).toMatchObject({ cost: null })
  })

  test('includes summaries and answers that came to nothing', async () => {
    const run = bench.start({ contextWindow: 3000, settings: { compactAt: 0.5 } })
    bench.model.push(answer(1200, 100))
    const id = run.newSession()
    await turn(run, id, `Remember this: ${'a fact '.repeat(300)}`)
    const empty: Turn = [{ usage: { input: 7, output: 1 } }]
    bench.model.push([...says('A summary.'), { usage: { input: 900, output: 50 } }], empty, answer(100, 10))
    await turn(run, id, `And this: ${'another fact '.repeat(100)}`)
    expect(run.store.usage.ofSession(id)).toMatchObject({ requests: 4, inputTokens: 1200 + 900 + 7 + 100 })
    expect(run.store.sessions.get(id).usage.inputTokens).toBe(1200 + 900 + 7 + 100)
  })

  test('is estimated where the server does not say, and for an answer that was stopped', async () => {
    const run = bench.start({ ...bare, contextWindow: 50_000 })
    // Figures that cannot be true count as none.
    const unsaid = { usage: { input: -1, output: -1 } }
    bench.model.push([{ text: 'a word '.repeat(400) }, unsaid])
    const id = run.newSession()
    const end = await turn(run, id, 'some words '.repeat(1000))
    const first = run.store.usage.ofSession(id)
    expect(first).toMatchObject({ requests: 1, cachedTokens: 0, unpricedTokens: 0 })
    expect(first.inputTokens).toBeGreaterThan(2700)
    expect(first.outputTokens).toBe(700)
    expect(first.cost).toBeCloseTo((first.inputTokens + 2 * 700) / 1e6, 9)
    expect(end.usage).toMatchObject({ outputTokens: 700, cost: first.cost })
    // The answer itself claims nothing: what the provider counted decides how full the window is.
    expect(run.transcript(id).messages[1]?.usage).toBeUndefined()

    const { id: stopped, held } = await heldAt(bench.model, run, 'go', 'half of it')
    await run.event('delta', ({ sessionId }) => sessionId === stopped)
    run.runner.stop(stopped)
    await run.turnEnd(stopped)
    held.open()
    expect(run.store.usage.ofSession(stopped)).toMatchObject({ requests: 1, outputTokens: 3 })

    bench.model.push([{ status: 400, body: { error: { message: 'no' } } }])
    const refused = run.newSession()
    await turn(run, refused)
    expect(run.store.usage.ofSession(refused).requests).toBe(0)
  })

  test('before there was a history is counted from the messages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deckhand-usage-'))
    const before = migrations.findIndex((step) => step.includes('usage_days'))
    const old = new DatabaseSync(join(folder, 'deckhand.db'))
    for (const step of migrations.slice(0, before)) old.exec(step)
    const at = new Date(2026, 2, 4, 12).getTime()
    const session = old.prepare(
      `INSERT INTO sessions (id, title, auto_title, workspace, model, toolset, mode, parent_id, status, created_at, updated_at, input_tokens, cost)
       VALUES (?, 'Old', 0, '/', 'a/b', 'deckhand', 'safe', ?, 'idle', 0, 0, 100, ?)`,
    )
    session.run('s_1', null, 0.5)
    session.run('c_1', 's_1', 0)
    const message = old.prepare(
      `INSERT INTO messages (id, session_id, seq, role, parts, created_at, model, usage) VALUES (?, ?, ?, 'assistant', '[]', ?, ?, ?)`,
    )
    const usage = (cost: number) => JSON.stringify({ inputTokens: 100, outputTokens: 10, cachedTokens: 60, cost })
    message.run('m_1', 's_1', 0, at, 'a/b', usage(0.5))
    message.run('m_2', 's_1', 1, at + 1, 'a/b', usage(0.25))
    message.run('m_3', 'c_1', 0, at, null, usage(0))
    message.run('m_4', 's_1', 2, at, 'a/b', 'damaged')
    old.exec(`PRAGMA user_version = ${before}`)
    old.close()
    const database = openDatabase(folder)
    const store = createStore(database)
    const history = store.usage.history('2026-03-04', '2026-03-04')
    expect(history.total).toMatchObject({ requests: 3, cachedTokens: 180, cost: 0.75, unpricedTokens: 110 })
    expect(history.sessions).toMatchObject([{ sessionId: 's_1', title: 'Old', requests: 3 }])
    expect(store.sessions.get('c_1').usage).toMatchObject({ cost: null, unpricedTokens: 100 })
    expect(store.sessions.get('s_1').usage).toMatchObject({ cost: 0.5, unpricedTokens: 0 })
    database.close()
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('a cap', () => {
  test('is told of at 80 %, asks at 100 %, and is raised by Continue', async () => {
    // The next request could take $0.0328, for 16,384 tokens of an answer.
    const run = bench.start({ ...bare, settings: { sessionCap: 0.04 } })
    bench.model.push(answer(4000, 2000), answer(6000, 2000), answer(8000, 1000))
    const id = run.newSession()
    await turn(run, id)
    expect(sketches(run.transcript(id))).toEqual(['user: go', 'system: (spending)', 'assistant: ok'])
    const second = turn(run, id)
    const question = await run.question()
    expect(question).toMatchObject({ kind: 'loop', title: 'Continue?' })
    expect(question.reason).toMatch(
      /^The next request could take up to \$0\.038\d\. With the \$0\.008 used so far, that is more than the cap of \$0\.04 for this session\. Continue raises the cap to \$0\.08\.$/,
    )
    expect(bench.model.requests).toHaveLength(1)
    run.runner.answer(question.id, { decision: 'allow', scope: 'once' })
    expect((await second).reason).toBe('done')
    // $0.018 is used: the raised cap of $0.08 holds another request.
    expect((await turn(run, id)).reason).toBe('done')
    expect(bench.model.requests).toHaveLength(3)
    // The model reads neither the line nor the question.
    expect(JSON.stringify(bench.model.requests[2]?.body)).not.toContain('cap')
  })

  test('ends the turn with its own reason where the answer is no', async () => {
    const run = bench.start({ ...bare, settings: { dayCap: 0.01 } })
    const id = run.newSession()
    const end = turn(run, id)
    run.runner.answer((await run.question()).id, { decision: 'deny' })
    expect(await end).toMatchObject({ reason: 'cap', error: { kind: 'cap' } })
    expect(sketches(run.transcript(id))).toEqual(['user: go', 'system: [denied]', 'system: (limit)'])
    expect(bench.model.requests).toHaveLength(0)
  })

  test('ends the turn with its own reason where nobody can be asked', async () => {
    const run = bench.start({ ...bare, interactive: false, settings: { sessionCap: 0.01 } })
    const end = await turn(run, run.newSession())
    expect(end).toMatchObject({ reason: 'cap', error: { kind: 'cap', message: expect.stringContaining('$0.01') } })
    expect(bench.model.requests).toHaveLength(0)
  })

  test('counts tokens where the price is not known', async () => {
    const run = bench.start({ ...bare, price: null, interactive: false, settings: { sessionCap: 0.1 } })
    bench.model.push(answer(3000, 500))
    const id = run.newSession()
    // A tenth of a dollar stands for 20,000 tokens.
    expect((await turn(run, id)).reason).toBe('done')
    const end = await turn(run, id)
    expect(end).toMatchObject({ reason: 'cap', error: { message: expect.stringContaining('20,000 tokens') } })
  })

  test('in tokens replaces what a dollar stands for, and without dollars counts every model', async () => {
    const unpriced = bench.start({
      ...bare,
      price: null,
      interactive: false,
      settings: { dayCap: 9, dayCapTokens: 900 },
    })
    expect((await turn(unpriced, unpriced.newSession())).reason).toBe('cap')
    const priced = bench.start({ ...bare, interactive: false, settings: { sessionCapTokens: 900 } })
    expect((await turn(priced, priced.newSession())).reason).toBe('cap')
  })

  test('of one turn does not count what was used before it', async () => {
    const capFor = () => ({ name: 'this run', dollars: 0.04, tokens: 0 })
    const run = bench.start({ ...bare, interactive: false, capFor })
    bench.model.push(answer(4000, 2000), answer(4000, 2000))
    const id = run.newSession()
    expect((await turn(run, id)).reason).toBe('done')
    expect((await turn(run, id)).reason).toBe('done')
  })

  test('of a run counts all turns of the run, as when a hook wants the work to go on', async () => {
    const capFor = () => ({ name: 'this run', dollars: 0.04, tokens: 0, allTurns: true })
    const id = bench.start({ ...bare }).newSession()
    const run = bench.start({ ...bare, interactive: false, capFor })
    bench.model.push(answer(4000, 2000), answer(4000, 2000))
    expect((await turn(run, id)).reason).toBe('done')
    run.runner.goOn(id, 'Go on.')
    expect(await run.turnEnd(id, 2)).toMatchObject({ reason: 'cap' })
    // What was used before the run is not its own.
    const next = bench.start({ ...bare, interactive: false, capFor })
    expect((await turn(next, id)).reason).toBe('done')
  })

  test('counts what requests that are under way could take', async () => {
    const run = bench.start({ ...bare, interactive: false, settings: { dayCap: 0.06 } })
    const held = gate()
    bench.model.push([{ gate: held }, ...answer(10, 10)], answer(10, 10))
    const slow = turn(run, run.newSession())
    await held.reached
    // Two answers of $0.0328 at the most do not fit, and nobody knows yet how long the first will be.
    const end = await turn(run, run.newSession())
    expect(end).toMatchObject({ reason: 'cap', error: { message: expect.stringContaining('so far or under way') } })
    held.open()
    expect((await slow).reason).toBe('done')
    expect((await turn(run, run.newSession())).reason).toBe('done')
  })

  test('of a day counts what is under way in another process on the same folder', async () => {
    const settings = { dayCap: 0.06 }
    const here = bench.start({ ...bare, interactive: false, settings, owner: thisProcess() })
    const elsewhere = bench.start({ ...bare, interactive: false, settings })
    const held = gate()
    bench.model.push([{ gate: held }, ...answer(10, 10)], answer(10, 10))
    const slow = turn(here, here.newSession())
    await held.reached
    const end = await turn(elsewhere, elsewhere.newSession())
    expect(end).toMatchObject({ reason: 'cap', error: { message: expect.stringContaining('so far or under way') } })
    held.open()
    expect((await slow).reason).toBe('done')
    expect((await turn(elsewhere, elsewhere.newSession())).reason).toBe('done')
    expect(here.store.underWay.elsewhere()).toEqual([])
  })

  test('is looked at before an attempt is repeated', async () => {
    const empty: Turn = [{ usage: { input: 1000, output: 14_000 } }]
    const headless = bench.start({ ...bare, interactive: false, settings: { sessionCap: 0.04 } })
    bench.model.push(empty)
    const id = headless.newSession()
    // $0.029 is used, and a second attempt could take $0.0328.
    expect(await turn(headless, id)).toMatchObject({
      reason: 'cap',
      error: { message: expect.stringContaining('$0.029') },
    })
    expect(bench.model.requests).toHaveLength(1)
    expect(sketches(headless.transcript(id))).toEqual(['user: go', 'system: (spending)', 'system: (limit)'])

    const run = bench.start({ ...bare, settings: { sessionCap: 0.04 } })
    bench.model.push(empty, answer(10, 10))
    const asked = run.newSession()
    const end = turn(run, asked)
    run.runner.answer((await run.question()).id, { decision: 'allow', scope: 'once' })
    expect((await end).reason).toBe('done')
    expect(sketches(run.transcript(asked))).toEqual([
      'user: go',
      'system: (spending)',
      'system: [done]',
      'assistant: ok',
    ])
  })

  test('holds for small requests beside a turn, which begin no turn', async () => {
    const signal = new AbortController().signal
    const small = { system: 'Name it.', text: 'a change', maxOutputTokens: 1000, signal }
    const capFor = () => ({ name: 'a run of this job', dollars: 0.04, tokens: 0 })
    const run = bench.start({ ...bare, capFor })
    bench.model.push(answer(4000, 2000), answer(10, 10))
    const id = run.newSession()
    await turn(run, id)
    expect(await run.runner.askModel(id, small)).toBe('ok')
    expect(run.runner.spending(id).turn).toMatchObject({ requests: 2, inputTokens: 4010 })
    // It asks nobody: what it is for can be done without it.
    const large = { ...small, maxOutputTokens: 20_000 }
    await expect(run.runner.askModel(id, large)).rejects.toThrow('the cap of $0.04')
    expect(bench.model.requests).toHaveLength(2)
    expect(run.runner.questions()).toEqual([])
  })

  test('counts what others used while the question of another cap was open', async () => {
    const run = bench.start({ ...bare, settings: { sessionCap: 0.001, dayCap: 0.05 } })
    const id = run.newSession()
    const end = turn(run, id)
    const question = await run.question()
    const usage = { inputTokens: 30_000, outputTokens: 0, cachedTokens: 0 }
    run.store.usage.add({ sessionId: 's_other', rootId: 's_other', model: 'scripted', usage, cost: 0.03 })
    run.runner.answer(question.id, { decision: 'allow', scope: 'once' })
    await expect
      .poll(() => run.runner.questions().map((open) => open.question.reason))
      .toEqual([expect.stringContaining('for today')])
    run.runner.stop(id)
    expect((await end).reason).toBe('stopped')
    expect(bench.model.requests).toHaveLength(0)
  })

  test('that was raised lets every turn go on that waits for it', async () => {
    const run = bench.start({ ...bare, settings: { dayCap: 0.001 } })
    bench.model.push(answer(10, 10), answer(10, 10))
    const ends = [turn(run, run.newSession()), turn(run, run.newSession())]
    await run.event('call', () => run.runner.questions().length === 2)
    // One answer raises the cap for both.
    const last = run.runner.questions().at(-1)
    run.runner.answer(last?.question.id ?? '', { decision: 'allow', scope: 'once' })
    for (const end of ends) expect((await end).reason).toBe('done')
  })

  test('that was raised after a restart stays raised', async () => {
    const first = bench.start({ ...bare, settings: { sessionCap: 0.01 } })
    const id = first.newSession()
    first.runner.send(id, 'go', [])
    await first.question()
    first.crash()
    const second = bench.start({ ...bare, settings: { sessionCap: 0.01 } })
    bench.model.push(answer(10, 10))
    const [open] = second.runner.questions()
    second.runner.answer(open?.question.id ?? '', { decision: 'allow', scope: 'once' })
    expect((await second.turnEnd(id)).reason).toBe('done')
  })
})
