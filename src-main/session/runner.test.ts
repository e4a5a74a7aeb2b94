import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { calls, gate, type ScriptedModel, says } from '../../e2e/scripted-model'
import { type Bench, heldAt, type Run, sketches, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(() => bench.close())

const userTexts = (request: number): string[] =>
  bench.model.requests[request]?.body.messages
    .filter((message: { role: string }) => message.role === 'user')
    .map((message: { content: unknown }) => JSON.stringify(message.content))

test('a message is saved, streamed, answered and counted', async () => {
  bench.model.push([
    { reasoning: 'Hm.' },
    { text: 'Hello ' },
    { text: 'you.' },
    { usage: { input: 1000, output: 500 } },
  ])
  const id = run.newSession()
  run.runner.send(id, 'Hi **there**', [])
  const end = await run.turnEnd(id)
  expect(end).toMatchObject({ reason: 'done', text: 'Hello you.' })
  expect(end.usage).toMatchObject({ inputTokens: 1000, outputTokens: 500, contextTokens: 1500 })
  expect(end.usage.cost).toBeCloseTo(0.002)
  expect(run.store.sessions.get(id)).toMatchObject({
    title: 'Hi there',
    status: 'idle',
    usage: { inputTokens: 1000, outputTokens: 500, contextTokens: 1500, contextWindow: 100_000 },
  })
  const { messages } = run.transcript(id)
  expect(messages.map(({ role, streaming }) => [role, streaming])).toEqual([
    ['user', false],
    ['assistant', false],
  ])
  expect(messages[1]?.parts).toEqual([
    { type: 'reasoning', text: 'Hm.', durationMs: expect.any(Number) },
    { type: 'text', text: 'Hello you.' },
  ])
  const streamed = run.events.flatMap((event) => (event.type === 'delta' && event.kind === 'text' ? [event.text] : []))
  expect(streamed.join('')).toBe('Hello you.')
  const order = run.events.map((event) => event.type)
  expect(order.indexOf('delta')).toBeGreaterThan(order.indexOf('message'))
  expect(order.at(-1)).toBe('turn-end')
  expect(run.errors).toEqual([])
})

test('many small pieces become few events, and none is lost', async () => {
  const pieces = Array.from({ length: 2000 }, (_, n) => ({ text: `${n} ` }))
  bench.model.push(pieces)
  const id = run.newSession()
  const start = performance.now()
  run.runner.send(id, 'count', [])
  const end = await run.turnEnd(id)
  const frames = (performance.now() - start) / 16
  const deltas = run.events.filter((event) => event.type === 'delta')
  expect(deltas.map((event) => event.text).join('')).toBe(end.text)
  expect(end.text).toBe(pieces.map(({ text }) => text).join(''))
  expect(deltas.length).toBeLessThanOrEqual(frames + 2)
})

test('calls run through the gate, in order, and their results reach the model', async () => {
  bench.model.push(
    [
      { call: 'Bash', args: { command: 'echo one' } },
      { call: 'Nonsense', args: '{' },
    ],
    says('Done.'),
  )
  const id = run.newSession('all')
  run.runner.send(id, 'go', [])
  await run.turnEnd(id)
  expect(sketches(run.transcript(id))).toEqual(['user: go', 'assistant: [done] [failed]', 'assistant: Done.'])
  const tools = bench.model.requests[1]?.body.messages.filter((message: { role: string }) => message.role === 'tool')
  expect(tools).toHaveLength(2)
  expect(JSON.stringify(tools[0])).toContain('one')
  expect(run.transcript(id).calls[0]).toMatchObject({ gist: 'echo one', grant: { by: 'mode' } })
  expect(run.store.search('echo one')).toHaveLength(1)
})

test('a page shows an answer as far as it has come', async () => {
  const held = gate()
  bench.model.push([{ text: 'half ' }, { gate: held }, { text: 'whole' }])
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  await held.reached
  await run.event('delta')
  expect(run.runner.page(id, undefined, 10).messages[1]?.parts).toEqual([{ type: 'text', text: 'half ' }])
  held.open()
  await run.turnEnd(id)
  expect(run.runner.page(id, undefined, 10).messages[1]?.parts).toEqual([{ type: 'text', text: 'half whole' }])
})

test('messages sent meanwhile wait in the queue, can be changed, and go in order', async () => {
  const { id, held } = await heldAt(bench.model, run, 'one', 'first')
  bench.model.push(says('second'), says('third'))
  run.runner.send(id, 'two', [])
  run.runner.send(id, 'to be removed', [])
  run.runner.send(id, 'three', [])
  const [two, removed, three] = run.store.queue.list(id)
  run.runner.editQueued(id, two?.id ?? '', 'two, edited')
  expect(run.runner.removeQueued(id, removed?.id ?? '').map(({ text }) => text)).toEqual(['two, edited', 'three'])
  held.open()
  await run.turnEnd(id, 3)
  expect(sketches(run.transcript(id))).toEqual([
    'user: one',
    'assistant: first',
    'user: two, edited',
    'assistant: second',
    'user: three',
    'assistant: third',
  ])
  expect(() => run.runner.editQueued(id, three?.id ?? '', 'late')).toThrow('has been sent already')
})

test('a steer goes into the running turn, ahead of the queue', async () => {
  const { id, held } = await heldAt(bench.model, run, 'start', 'working')
  bench.model.push(says('steered'), says('queued'))
  run.runner.send(id, 'later', [])
  run.runner.send(id, 'this first', [])
  run.runner.steerQueued(id, run.store.queue.list(id)[1]?.id ?? '')
  held.open()
  await run.turnEnd(id, 2)
  expect(sketches(run.transcript(id))).toEqual([
    'user: start',
    'assistant: working',
    'user: this first',
    'assistant: steered',
    'user: later',
    'assistant: queued',
  ])
  expect(run.transcript(id).messages[2]).toMatchObject({ steer: true })
  expect(userTexts(1)?.at(-1)).toContain('this first')
})

test('stop ends the stream and keeps what had come; the queue waits for the user', async () => {
  const { id, held } = await heldAt(bench.model, run, 'go', 'half of')
  await run.event('delta')
  run.runner.send(id, 'next', [])
  run.runner.stop(id)
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'stopped' })
  await run.runner.settled(id)
  expect(sketches(run.transcript(id))).toEqual(['user: go', 'assistant: half of'])
  expect(run.store.queue.list(id).map(({ text }) => text)).toEqual(['next'])
  expect(run.store.sessions.get(id).status).toBe('idle')
  held.open()
})

test('stop ends a running command with its children, and calls that had not begun', async () => {
  bench.model.push([
    { call: 'Bash', args: { command: 'sleep 987 & sleep 986; echo never' } },
    { call: 'Bash', args: { command: 'echo after' } },
  ])
  const id = run.newSession('all')
  run.runner.send(id, 'go', [])
  const { process } = await run.event('process', (event) => event.process.status === 'running')
  run.runner.stop(id)
  await run.turnEnd(id)
  expect(sketches(run.transcript(id))).toEqual(['user: go', 'assistant: [aborted] [aborted]'])
  await run.table.wait(process.id)
  expect(run.table.get(process.id)?.status).toBe('exited')
})

test('a failure is shown where it happened, and retry takes it back', async () => {
  bench.model.push([{ status: 401, body: { error: { message: 'bad key' } } }], says('now'))
  const id = run.newSession()
  run.runner.send(id, 'hello', [])
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'failed', error: { kind: 'auth' } })
  expect(sketches(run.transcript(id))).toEqual(['user: hello', 'assistant: !auth'])
  run.runner.retry(id)
  await run.turnEnd(id, 2)
  expect(sketches(run.transcript(id))).toEqual(['user: hello', 'assistant: now'])
})

test('a model that is gone fails the turn in words', async () => {
  const { id } = run.runner.createSession({ workspace: bench.folder, model: 'old', toolset: 'deckhand', mode: 'safe' })
  run.runner.send(id, 'hello', [])
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'failed', error: { kind: 'model-not-found' } })
  run.runner.updateSession(id, { model: 'scripted' })
  bench.model.push(says('here'))
  run.runner.retry(id)
  expect(await run.turnEnd(id, 2)).toMatchObject({ reason: 'done', text: 'here' })
})

test('regenerate throws the answer away and asks again', async () => {
  bench.model.push(says('first try'), says('second try'))
  const id = run.newSession()
  run.runner.send(id, 'tell me', [])
  await run.turnEnd(id)
  run.runner.regenerate(id)
  await run.turnEnd(id, 2)
  expect(sketches(run.transcript(id))).toEqual(['user: tell me', 'assistant: second try'])
  expect(run.events).toContainEqual({ type: 'messages-removed', sessionId: id, fromSeq: 1 })
  expect(bench.model.requests[1]?.body.messages).toEqual(bench.model.requests[0]?.body.messages)
})

test('a branch shares the past, keeps calls apart, and leaves the source alone', async () => {
  bench.model.push(calls('Bash', { command: 'echo base' }), says('ok'), says('old'), says('new'))
  const id = run.newSession('all')
  run.runner.send(id, 'start', [])
  await run.turnEnd(id)
  run.runner.send(id, 'old way', [{ name: 'a.txt', mimeType: 'text/plain', data: 'attached' }])
  await run.turnEnd(id, 2)
  const before = run.transcript(id)
  const branch = run.runner.branch(id, before.messages[3]?.id ?? '', 'new way')
  await run.turnEnd(branch.id)
  expect(sketches(run.transcript(branch.id))).toEqual([
    'user: start',
    'assistant: [done]',
    'assistant: ok',
    'user: new way <file>',
    'assistant: new',
  ])
  expect(run.transcript(id)).toEqual(before)
  expect(run.transcript(branch.id).calls[0]?.id).not.toBe(before.calls[0]?.id)
  expect(JSON.stringify(bench.model.requests[3]?.body.messages)).toContain('base')
  expect(userTexts(3)?.at(-1)).toContain('attached')
  expect(() => run.runner.branch(id, before.messages[1]?.id ?? '', 'x')).toThrow('Only your own messages')
})

test('attachments reach the model', async () => {
  bench.model.push(says('seen'))
  const id = run.newSession()
  run.runner.send(id, '', [
    { name: 'notes.md', mimeType: 'text/markdown', data: 'remember the milk' },
    { name: 'dot.png', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
  ])
  await run.turnEnd(id)
  expect(run.store.sessions.get(id).title).toBe('notes.md')
  const sent = userTexts(0)?.join() ?? ''
  expect(sent).toContain('remember the milk')
  expect(sent).toContain('data:image/png;base64,iVBORw0KGgo=')
})

test('a call of a cut answer is kept as failed, told to the model, and not run after a restart either', async () => {
  bench.model.push([{ call: 'Bash', args: { command: 'touch made' } }, { length: true }])
  bench.model.push(says('Understood.'))
  const id = run.newSession('all')
  run.runner.send(id, 'go', [])
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'done' })
  const [call] = run.transcript(id).calls
  expect(call?.state).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('cut off') } })
  expect(call?.startedAt).toBeNull()
  expect(JSON.stringify(bench.model.requests[1]?.body.messages.at(-1))).toContain('Not run')
})

test('the limit of steps is a question, and each yes is good for as many again', async () => {
  const short = bench.start({ settings: { maxIterations: 2 } })
  bench.model.push(calls('Bash', { command: 'echo 1' }), calls('Bash', { command: 'echo 2' }))
  const id = short.newSession('all')
  short.runner.send(id, 'go', [])
  const question = await short.question()
  expect(question).toMatchObject({ kind: 'loop', reason: expect.stringContaining('Paused after 2 steps') })
  bench.model.push(calls('Bash', { command: 'echo 3' }), calls('Bash', { command: 'echo 4' }))
  short.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  const again = await vi.waitFor(
    () => {
      const [pending] = short.runner.questions()
      expect(pending?.question.reason).toContain('Paused after 4 steps')
      return pending?.question.id ?? ''
    },
    { timeout: 20_000 },
  )
  short.runner.answer(again, { decision: 'deny' })
  expect(await short.turnEnd(id)).toMatchObject({ reason: 'limit' })
})

test('a full window is summarised, and that can be taken back', async () => {
  const small = bench.start({ contextWindow: 4000, settings: { compactAt: 0.5 } })
  const id = small.newSession()
  const long = 'words '.repeat(400)
  bench.model.push(
    says('ok 1'),
    [{ text: 'ok 2' }, { usage: { input: 2500, output: 5 } }],
    says('A SUMMARY'),
    says('ok 3'),
  )
  for (const n of [1, 2, 3]) {
    small.runner.send(id, `${n} ${long}`, [])
    await small.turnEnd(id, n)
  }
  const compaction = small.transcript(id).messages.find(({ role }) => role === 'system')
  expect(compaction?.parts).toMatchObject([{ notice: { kind: 'compaction', undone: false } }])
  const asked = bench.model.requests
    .at(-1)
    ?.body.messages.map((message: object) => JSON.stringify(message))
    .join()
  expect(asked).toContain('A SUMMARY')
  expect(asked).toContain(`3 ${long}`)
  const undone = small.runner.undoCompaction(id, compaction?.id ?? '')
  expect(undone.parts).toMatchObject([{ notice: { undone: true } }])
  expect(small.store.messages.compaction(id)).toBeNull()
})

test('a deleted session stops, and comes back quiet', async () => {
  const { id, held } = await heldAt(bench.model, run, 'go', 'a')
  run.runner.deleteSession(id)
  await run.runner.settled(id)
  expect(run.runner.questions()).toEqual([])
  expect(run.runner.restoreSession(id)).toMatchObject({ status: 'idle' })
  expect(run.errors).toEqual([])
  held.open()
})
