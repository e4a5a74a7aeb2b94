import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  calls,
  gate,
  type ModelRequest,
  type ScriptedModel,
  says,
  scriptedModel,
  type Turn,
} from '../../e2e/scripted-model'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Session } from '../../src-preload/contract/sessions'
import { noUsage } from '../../src-preload/contract/sessions'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { openEngine, saveScripted } from '../compose/test-engine'
import type { Engine } from '../engine'
import { testContext } from '../tools/test-context'
import { createSubAgents, type SubAgentError } from './subagents'

let root = ''
let engine: Engine
let model: ScriptedModel
let parent: Session
/** What the children say, by the prompt that they were given. */
let answers: (request: ModelRequest) => Turn

const isChild = ({ body }: ModelRequest) => JSON.stringify(body.messages[0]).includes('sub-agent of Deckhand')

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-subagents-'))
  for (const folder of ['data', 'workspace']) mkdirSync(join(root, folder))
  writeFileSync(join(root, 'workspace', 'AGENTS.md'), 'Boats are called vessels here.')
  writeFileSync(join(root, 'workspace', 'harbour.txt'), 'Seven boats\n')
  model = await scriptedModel([], { models: ['scripted'], otherwise: (request) => answers(request) })
  engine = await openEngine(join(root, 'data'))
  parent = engine.createSession({
    mode: 'all',
    workspace: join(root, 'workspace'),
    model: await saveScripted(engine, model),
  })
})
afterEach(async () => {
  await engine.close()
  await model.close()
  rmSync(root, { recursive: true, force: true })
})

const callsOf = (sessionId: string): ToolCall[] => engine.store.messages.page(sessionId, undefined, 50).calls
const results = (request: ModelRequest | undefined): string[] =>
  request?.body.messages.flatMap(({ role, content }: { role: string; content: string }) =>
    role === 'tool' ? [content] : [],
  ) ?? []

it('a child looks things up, answers its parent, and is charged to it', async () => {
  answers = (request) => {
    if (isChild(request))
      return results(request).length === 0
        ? calls('Read', { path: 'harbour.txt' })
        : [...says('Seven.'), { usage: { input: 50, output: 5 } }]
    return results(request).length === 0
      ? calls('Task', { prompt: 'How many boats?', description: 'Count boats' })
      : [...says('There are seven.'), { usage: { input: 100, output: 10 } }]
  }
  const events: DeckhandEvent[] = []
  engine.subscribe((event) => events.push(event))
  const end = await engine.runner.sendAndWait(parent.id, 'How many boats are there?')
  expect(end).toMatchObject({ reason: 'done', text: 'There are seven.' })

  const [call] = callsOf(parent.id)
  const child = engine.store.sessions.get(call?.id ?? '')
  expect(child).toMatchObject({ parentId: parent.id, mode: 'read-only', title: 'Count boats', toolset: 'deckhand' })
  expect(call?.state).toMatchObject({
    status: 'done',
    content: [{ type: 'text', text: 'Seven.' }],
    display: {
      type: 'subagent',
      sessionId: child.id,
      steps: [{ name: 'Read', gist: 'harbour.txt', status: 'done' }],
      answer: 'Seven.',
    },
  })
  const spent = engine.store.sessions.get(parent.id).usage
  expect(spent.inputTokens).toBeGreaterThanOrEqual(child.usage.inputTokens + 100)
  expect(spent.contextTokens).toBe(110)
  const shown = events.flatMap((event) =>
    event.type === 'call' && event.call.id === call?.id && event.call.state.status === 'running'
      ? [event.call.state.display]
      : [],
  )
  expect(shown.some((display) => display?.type === 'subagent' && display.steps[0]?.status === 'running')).toBe(true)
  expect(engine.post.list({ limit: 10, offset: 0, messageLimit: 0 })).toHaveLength(1)

  engine.runner.deleteSession(parent.id)
  expect(engine.store.sessions.find(child.id)).toBeNull()
  engine.runner.restoreSession(parent.id)
  expect(engine.store.sessions.find(child.id)).not.toBeNull()
})

it('a child has only tools that read, and may do no more by its mode', async () => {
  answers = (request) => {
    if (!isChild(request))
      return results(request).length === 0 ? calls('Task', { prompt: 'Change something' }) : says('ok')
    return results(request).length === 0 ? calls('Write', { path: 'x', content: 'y' }) : says('I could not.')
  }
  await engine.runner.sendAndWait(parent.id, 'Go')
  const asked = model.requests.find(isChild)
  const names = asked?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
  expect(names.filter((name: string) => name !== 'Memory')).toEqual(['Read', 'Glob', 'Grep', 'List', 'Time'])
  expect(asked?.body.messages[0].content).toContain('Boats are called vessels here.')
  expect(results(model.requests.filter(isChild).at(-1))[0]).toContain('There is no tool named')
  const [call] = callsOf(parent.id)
  const access = {
    action: 'write',
    node: 'local',
    cwd: root,
    workspace: root,
    paths: [{ path: join(root, 'workspace', 'x'), access: 'write' }],
  } as const
  expect((await engine.decide(access, call?.id ?? '')).verdict).toBe('deny')
  // Not even by its own hand.
  const again = engine.toolset('deckhand').tools.get('Task')
  const context = testContext(root, call?.id ?? '')
  await expect(again?.run({ prompt: 'deeper' }, context)).rejects.toMatchObject({ kind: 'PermissionDenied' })
})

it('several work side by side, and one that is stopped says so', async () => {
  const [first, second] = [gate(), gate()]
  answers = (request) => {
    if (!isChild(request))
      return results(request).length === 0
        ? [
            { call: 'Task', args: { prompt: 'one' }, id: 'a' },
            { call: 'Task', args: { prompt: 'two' }, id: 'b' },
          ]
        : says('Both.')
    const held = JSON.stringify(request.body.messages).includes('"one"') ? first : second
    return [{ text: 'Half' }, { gate: held }, { text: ' and half' }]
  }
  const ended = engine.runner.sendAndWait(parent.id, 'Go')
  await Promise.all([first.reached, second.reached])
  const [one, two] = callsOf(parent.id)
  engine.runner.stop(one?.id ?? '')
  second.open()
  await ended
  first.open()
  expect(engine.store.calls.get(one?.id ?? '').state).toMatchObject({ status: 'failed' })
  expect(results(model.requests.at(-1))[0]).toContain('The user stopped this sub-agent')
  expect(engine.store.calls.get(two?.id ?? '').state).toMatchObject({
    status: 'done',
    content: [{ text: 'Half and half' }],
  })
})

it('stopping the parent stops its children', async () => {
  const held = gate()
  answers = (request) => (isChild(request) ? [{ text: 'Half' }, { gate: held }] : calls('Task', { prompt: 'long' }))
  const ended = engine.runner.sendAndWait(parent.id, 'Go')
  await held.reached
  const [call] = callsOf(parent.id)
  engine.runner.stop(parent.id)
  expect((await ended).reason).toBe('stopped')
  await engine.runner.settled(call?.id ?? '')
  expect(engine.store.sessions.get(call?.id ?? '').status).toBe('idle')
  held.open()
})

it('one that takes too long is given up', async () => {
  const subagents = createSubAgents({
    subscribe: () => () => {},
    limitMs: 20,
    sessions: {
      find: () => parent,
      create: () => {},
      say: (_, __, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ reason: 'stopped', text: 'so far', usage: noUsage })),
        ),
      charge: () => {},
    },
  })
  const { signal } = new AbortController()
  const failed = subagents.spawn({ parentId: parent.id, callId: 'c', prompt: 'p', signal, show: () => {} })
  expect(subagents.active(parent.id)).toMatchObject([{ sessionId: 'c', task: 'p' }])
  await expect(failed).rejects.toMatchObject({
    kind: 'Timeout',
    message: expect.stringContaining('so far'),
  } satisfies Partial<SubAgentError>)
  expect(subagents.active()).toEqual([])
})
