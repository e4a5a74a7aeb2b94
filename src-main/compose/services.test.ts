import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, gate, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import { sign } from '../channels/signature'
import type { Engine } from '../engine'
import { memorySecrets } from '../settings/secrets'
import { openEngine, saveScripted } from './test-engine'

/** The whole engine, with a scripted model over HTTP: jobs and messages from outside, from their begin to their end. */
let folder: string
let workspace: string
let model: ScriptedModel
let engine: Engine
let events: DeckhandEvent[]
const secrets = memorySecrets()

const start = async (): Promise<void> => {
  events = []
  engine = await openEngine(folder, { secrets, interactive: true })
  engine.subscribe((event) => events.push(structuredClone(event)))
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-services-'))
  workspace = mkdtempSync(join(tmpdir(), 'deckhand-workspace-'))
  model = await scriptedModel([], { models: ['one', 'two'] })
  await start()
  engine.updateSettings({
    defaultModel: await saveScripted(engine, model),
    defaultWorkspace: workspace,
    defaultToolset: 'deckhand',
  })
})
afterEach(async () => {
  await engine.close()
  await model.close()
  for (const each of [folder, workspace]) rmSync(each, { recursive: true, force: true })
})

const until = async <Value>(find: () => Value | undefined | null | false): Promise<Value> => {
  for (;;) {
    const found = find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const question = () => until(() => engine.runner.questions()[0]?.question)
const texts = (sessionId: string): string[] =>
  engine.store.messages
    .page(sessionId, undefined, 100)
    .messages.map(({ role, parts: [part] }) =>
      part?.type === 'text' ? `${role}: ${part.text}` : part?.type === 'notice' ? `notice: ${part.notice.text}` : role,
    )
const user = { by: 'user' } as const
const yearly = { kind: 'cron', expr: '0 0 1 1 *' }
const add = async (spec: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  (await engine.schedule.add({ name: 'backup', schedule: yearly, spec, ...more }, user)).job

test('each task has a clean session; its answer is shown in the main one, and old runs stay readable', async () => {
  model.push(says('All is well.'), says('Still well.'))
  const job = await add({ mode: 'task', message: 'Check the disks' })
  const first = await engine.schedule.run({ mode: 'force', id: job.id })
  expect(first.results).toMatchObject([{ status: 'ok', summary: 'All is well.' }])
  const before = engine.post.find(`agent:main:cron:${job.id}`)
  await engine.schedule.run({ mode: 'force', id: job.id })
  const after = engine.post.find(`agent:main:cron:${job.id}`)
  expect(after?.id).not.toBe(before?.id)
  expect(after).toMatchObject({ title: 'Scheduled: backup', agentId: 'main', mode: 'safe' })
  expect(model.requests[1]?.body.messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user'])
  expect(texts(before?.id ?? '')).toEqual([
    expect.stringMatching(/^user: \[cron · .*\d{4} at \d\d:\d\d .*\] Check the disks$/),
    'assistant: All is well.',
  ])
  expect(engine.schedule.history({ jobId: job.id }).map(({ sessionId }) => sessionId)).toEqual([after?.id, before?.id])
  const main = engine.post.find('main')
  expect(texts(main?.id ?? '')).toEqual(['notice: All is well.', 'notice: Still well.'])
  expect(events).toContainEqual({ type: 'notify', sessionId: main?.id, title: 'backup', text: 'Still well.' })
})

test('model, thinking and the limit of time are what the task says', async () => {
  const hold = gate()
  model.push(says('Thought about it.'), [{ text: 'Slow' }, { gate: hold }])
  const [provider] = engine.providers.list().filter(({ name }) => name === 'Scripted')
  const task = { mode: 'task', message: 'Think', deliver: false, model: `${provider?.id}/two`, thinking: 'high' }
  const job = await add(task)
  await engine.schedule.run({ mode: 'force', id: job.id })
  expect(model.requests[0]?.body).toMatchObject({ model: 'two', reasoning_effort: 'high' })
  await engine.schedule.update(job.id, { spec: { ...task, timeoutSeconds: 0.3 } }, user)
  const { results } = await engine.schedule.run({ mode: 'force', id: job.id })
  expect(results).toMatchObject([{ status: 'error', error: expect.stringMatching(/took longer/) }])
  hold.open()
})

test('an event is said in the main session, in the conversation that is there', async () => {
  model.push(says('Hello.'), says('I will look.'))
  const main = engine.post.open('main')?.id ?? ''
  await engine.runner.sendAndWait(main, 'Remember the number 7')
  const job = await add({ mode: 'systemEvent', text: 'Time to look' })
  expect(await engine.schedule.run({ mode: 'force', id: job.id })).toMatchObject({ ran: 1 })
  await engine.schedule.settled()
  const roles = model.requests[1]?.body.messages.map(({ role }: { role: string }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'user'])
  expect(texts(main).slice(2)).toEqual([
    expect.stringMatching(/^user: \[cron · .*\] Time to look$/),
    'assistant: I will look.',
  ])
  expect(events.filter((event) => event.type === 'notify')).toMatchObject([{ sessionId: main, text: 'I will look.' }])
})

test('what a run may not do by itself waits in the inbox, with its origin; the answer lets it go on', async () => {
  model.push(calls('Bash', { command: 'touch made-by-job' }), says('Made it.'))
  const job = await add({ mode: 'task', message: 'Make a file' })
  await engine.schedule.begin(job.id)
  const asked = await question()
  const { sessionId } = engine.schedule.job(job.id)
  expect(asked.ancestry).toEqual([sessionId, 'Scheduled: backup'])
  expect(engine.schedule.job(job.id)).toMatchObject({ waiting: true })
  engine.runner.answer(asked.id, { decision: 'allow', scope: 'once' })
  await engine.schedule.settled()
  expect(engine.schedule.runs().runs).toMatchObject([{ status: 'ok', summary: 'Made it.' }])
  expect(engine.schedule.job(job.id)).toMatchObject({ waiting: false })
})

test('a question that nobody answers is denied at its deadline, and the run ends with the reason', async () => {
  model.push(calls('Bash', { command: 'touch made-by-job' }))
  const job = await add({ mode: 'task', message: 'Make a file' })
  await engine.schedule.begin(job.id)
  await question()
  // As if it had been asked long ago: the deadline is counted from the question, not from this start.
  const database = engine.store
  const asked = engine.runner.questions()[0]
  if (asked?.call.state.status !== 'awaiting') throw new Error('not a question')
  const old = { ...asked.question, createdAt: Date.now() - 9 * 3600 * 1000 }
  database.calls.setState(asked.call.id, { status: 'awaiting', question: old })
  await engine.schedule.update(job.id, { description: 'looked at' }, user)
  engine.publish({ type: 'session-removed', sessionId: 'none' })
  await engine.schedule.settled()
  expect(engine.schedule.runs().runs).toMatchObject([
    { status: 'error', error: 'It needed an answer, and nobody gave one within 8 hours. It was denied.' },
  ])
  expect(engine.runner.questions()).toEqual([])
})

test('a conversation that may do everything is not one for the clock', async () => {
  model.push(
    calls('Bash', { command: 'touch by-clock' }),
    says('Done.'),
    calls('Bash', { command: 'touch by-user' }),
    says('Done.'),
  )
  const main = engine.post.open('main')?.id ?? ''
  engine.runner.updateSession(main, { mode: 'all' })
  const job = await add({ mode: 'systemEvent', text: 'Make a file' })
  await engine.schedule.begin(job.id)
  const asked = await question()
  expect(asked.command).toBe('touch by-clock')
  engine.runner.answer(asked.id, { decision: 'allow', scope: 'once' })
  await engine.schedule.settled()
  expect(await engine.runner.sendAndWait(main, 'Make another')).toMatchObject({ reason: 'done' })
  expect(engine.runner.questions()).toEqual([])
})

test('a run that waits survives the end of the app', async () => {
  model.push(calls('Bash', { command: 'touch late' }), says('Late but made.'))
  const job = await add({ mode: 'task', message: 'Make a file' })
  await engine.schedule.begin(job.id)
  await question()
  await engine.close()
  await start()
  engine.schedule.start()
  expect(engine.schedule.job(job.id)).toMatchObject({ waiting: true, state: { runningAtMs: expect.any(Number) } })
  engine.runner.answer((await question()).id, { decision: 'allow', scope: 'once' })
  await engine.schedule.settled()
  expect(engine.schedule.runs().runs).toMatchObject([{ status: 'ok', summary: 'Late but made.' }])
})

test('a message from outside is answered in the session of its key, which is marked from then on', async () => {
  model.push(says('Hello Anna.'))
  const key = 'a signing key that is long enough'
  const answers: string[] = []
  engine.channels.save({
    channel: 'signal',
    kind: 'webhook',
    url: `${model.baseUrl}/nowhere`,
    signingKey: key,
    inbound: true,
    policy: 'open',
  })
  engine.channels.onDelivery(({ to, outcome }) => answers.push(`${to} ${outcome}`))
  await engine.channels.configure({ inboundEnabled: true })
  await engine.channels.start()
  const url = engine.channels.view().channels[1]?.inboundUrl ?? ''
  const body = JSON.stringify({ text: 'Hello', sender: '+4930', senderName: 'Anna' })
  const [timestamp, id] = [String(Math.floor(Date.now() / 1000)), randomUUID()]
  const headers = {
    'x-deckhand-timestamp': timestamp,
    'x-deckhand-id': id,
    'x-deckhand-signature': sign(key, timestamp, id, body),
  }
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(202)
  await until(() => answers.length > 0)
  const session = engine.post.find('agent:main:signal:dm:+4930')
  expect(texts(session?.id ?? '')).toEqual(['user: [signal · Anna (+4930)] Hello', 'assistant: Hello Anna.'])
  const fetchIt = { action: 'network', node: 'local', cwd: workspace, workspace, hosts: ['evil.example'] } as const
  engine.runner.updateSession(session?.id ?? '', { mode: 'all' })
  expect((await engine.decide(fetchIt, session?.id ?? '')).verdict).toBe('ask')
  const other = engine.createSession({ mode: 'all' })
  expect((await engine.decide(fetchIt, other.id)).verdict).toBe('allow')
})

test('a background command that ends is told in the form of the vocabulary, and to the user in words', async () => {
  const nodeId = engine.nodes.registry.localId()
  const command = 'seq 1 2000; exit 3'
  model.push(calls(`${nodeId}__Bash`, { command, background: true }), says('Started.'), says('It failed.'))
  const { id } = engine.createSession({ toolset: 'gsv', mode: 'all' })
  engine.runner.send(id, 'Count', [])
  await until(() => texts(id).includes('assistant: It failed.'))
  const [process] = engine.table.list(id)
  const told = model.requests.at(-1)?.body.messages.at(-1) as { role: string; content: unknown }
  expect(told.role).toBe('user')
  const words = typeof told.content === 'string' ? told.content : (told.content as [{ text: string }])[0].text
  const [name, json = '', ...more] = words.split('\n')
  expect([name, more]).toEqual(['System event: async_exec_completion', []])
  const event = JSON.parse(json)
  expect(event).toEqual({
    eventId: expect.any(String),
    nodeId,
    sessionId: process?.id,
    callId: process?.callId,
    event: 'failed',
    exitCode: 3,
    signal: null,
    outputTail: expect.stringMatching(/1999\n2000\n$/),
    startedAt: process?.startedAt,
    endedAt: process?.endedAt,
  })
  expect(event.outputTail.length).toBeGreaterThan(3900)
  expect(event.outputTail.length).toBeLessThanOrEqual(4000)
  expect(texts(id).find((text) => text.startsWith('notice: '))).toMatch(/^notice: Background process .* exit code 3/)
})
