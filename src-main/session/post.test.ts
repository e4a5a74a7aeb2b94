import { afterEach, beforeEach, expect, test } from 'vitest'
import { gate, type ScriptedModel, says } from '../../e2e/scripted-model'
import { answeringModel } from '../compose/answering-model'
import { unknownAgent } from '../compose/unknown-agent'
import { createPost, type Post } from './post'
import { type Bench, type Run, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
let post: Post
let asker: string
beforeEach(async () => {
  ;({ bench, run } = await startBench())
  asker = run.newSession()
  post = createPost(deps())
})
afterEach(() => bench.close())

const deps = (): Parameters<typeof createPost>[0] => ({
  store: run.store,
  runner: run.runner,
  subscribe: run.subscribe,
  createSession: (wish) =>
    run.runner.createSession({ model: 'scripted', mode: 'safe', toolset: 'deckhand', workspace: '/', ...wish }),
  rules: () => ({}),
  unknownAgent: (id) => unknownAgent(id, ['main', 'helper']),
  answeringModel,
})

const send = (message: string, waitSeconds = 60, sessionKey = 'main') =>
  post.send({ sessionKey, message, waitSeconds, from: asker })

test('a session is made for a key once, and found again under every name of it', () => {
  const main = post.open('main')
  expect(main).toMatchObject({ key: 'agent:main:main', agentId: 'main' })
  expect(post.open('agent:Main:main')?.id).toBe(main?.id)
  expect(post.find(main?.id ?? '')?.id).toBe(main?.id)
  expect(post.open('agent:helper:slack:group:C1')).toMatchObject({ agentId: 'helper', title: 'Helper: slack group C1' })
  expect([post.open('nonsense'), post.find('agent:nobody:main')]).toEqual([null, null])
})

test('the answer is the one to this very message, not to an older one', async () => {
  const hold = gate()
  bench.model.push([{ gate: hold }, { text: 'old answer' }])
  bench.model.push(says('answer to mine'))
  const older = await send('something old', 0)
  expect(older).toMatchObject({ status: 'accepted', queued: false })
  const mine = send('mine')
  hold.open()
  expect(await mine).toMatchObject({ status: 'ok', reply: 'answer to mine' })
})

test('two who wait at once each get their own answer', async () => {
  const hold = gate()
  bench.model.push([{ gate: hold }, { text: 'first' }])
  bench.model.push(says('second'))
  bench.model.push(says('third'))
  const replies = ['a', 'b', 'c'].map((text) => send(text))
  hold.open()
  expect((await Promise.all(replies)).map((outcome) => outcome.status === 'ok' && outcome.reply)).toEqual([
    'first',
    'second',
    'third',
  ])
})

test('a message that the user removes from the queue is told of', async () => {
  const hold = gate()
  bench.model.push([{ gate: hold }, { text: 'busy' }])
  await send('keeps it busy', 0)
  const waiting = send('never read')
  const main = post.find('main')?.id ?? ''
  const [queued] = run.store.queue.list(main)
  run.runner.removeQueued(main, queued?.id ?? '')
  await expect(waiting).rejects.toThrow('taken back')
  hold.open()
})

test('a turn that fails, and a session that waits for itself, are errors', async () => {
  bench.model.push([{ status: 401, body: { error: { message: 'no' } } }])
  await expect(send('hello')).rejects.toThrow('ended without an answer')
  await expect(post.send({ sessionKey: asker, message: 'me', waitSeconds: 5, from: asker })).rejects.toThrow('itself')
})

test('waiting ends with the call that waits', async () => {
  const hold = gate()
  bench.model.push([{ gate: hold }, { text: 'late' }])
  const stop = new AbortController()
  const waiting = post.send({ sessionKey: 'main', message: 'x', waitSeconds: 60, from: asker, signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  hold.open()
})

test('another agent answers with its own model, or with that of the session that asks', async () => {
  const other = createPost({
    ...deps(),
    createSession: (wish) =>
      run.runner.createSession({ model: 'guide', mode: 'safe', toolset: 'deckhand', workspace: '/', ...wish }),
  })
  const ask = async () => {
    bench.model.push(says('from the model'))
    return other.send({ sessionKey: 'agent:helper:main', message: 'hello', waitSeconds: 60, from: asker })
  }
  expect(await ask()).toMatchObject({ status: 'ok', reply: 'from the model' })
  const helper = other.find('agent:helper:main')
  expect(helper?.model).toBe('scripted')
  // One that was made before there was a model.
  run.runner.updateSession(helper?.id ?? '', { model: 'guide' })
  expect(await ask()).toMatchObject({ status: 'ok', reply: 'from the model' })
  run.runner.updateSession(helper?.id ?? '', { model: 'its own' })
  await other.send({ sessionKey: 'agent:helper:main', message: 'hello', waitSeconds: 0, from: asker })
  expect(other.find('agent:helper:main')?.model).toBe('its own')
})

test('an agent that is not there is not made, and the nearest names are told', async () => {
  await expect(send('hello', 5, 'agent:helpr:main')).rejects.toThrow(
    'There is no agent helpr. Did you mean helper? Agents are made under Agents in the window.',
  )
  await expect(send('hello', 5, 'agent:zzzzzzzzzz:main')).rejects.toThrow('There is: main, helper.')
  expect(post.find('agent:helpr:main')).toBeNull()
})
