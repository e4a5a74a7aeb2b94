import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ClientConnection,
  client,
  methods,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callChunk, chat, finish, type Reply, say, serve } from '../agent/test-server'
import { openEngine } from '../compose/test-engine'
import type { Engine } from '../engine'
import { createAcpServer } from './server'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-acp-')))
const workspace = join(folder, 'work')
const replies: Reply[] = []
let model: Awaited<ReturnType<typeof serve>>
let engine: Engine
let connection: ClientConnection
const updates: SessionUpdate[] = []
const asked: RequestPermissionRequest[] = []
let answer = 'allow'

beforeAll(async () => {
  mkdirSync(workspace)
  model = await serve((response, request) => replies.shift()?.(response, request))
  engine = await openEngine(join(folder, 'data'), { interactive: true })
  const provider = engine.providers.addTemporary('openai', `${model.url}/v1`)
  engine.updateSettings({ defaultModel: `${provider}/scripted` })
  const app = await createAcpServer(engine, { mode: 'ask', sandbox: false })
  connection = client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params)
      return { outcome: { outcome: 'selected' as const, optionId: answer } }
    })
    .connect(app)
  await connection.agent.request(methods.agent.initialize, { protocolVersion: 1 })
})
afterAll(async () => {
  connection.close()
  await engine.close()
  await model[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const newSession = async (): Promise<string> => {
  const made = await connection.agent.request(methods.agent.session.new, { cwd: workspace, mcpServers: [] })
  engine.runner.updateSession(made.sessionId, { model: engine.settings.current().defaultModel })
  return made.sessionId
}
const prompt = (sessionId: string, text: string) =>
  connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
const kinds = (): string[] => updates.map((update) => update.sessionUpdate)

test('a client gets sessions with modes and models, and a turn with its calls, permissions and end', async () => {
  const made = await connection.agent.request(methods.agent.session.new, { cwd: workspace, mcpServers: [] })
  expect(made.modes?.currentModeId).toBe('ask')
  expect(made.configOptions?.[0]).toMatchObject({ id: 'model', category: 'model' })
  const id = await newSession()
  replies.push(
    chat(say('I make it. '), callChunk('1', 'Bash', { command: 'touch made.txt' }), finish('tool_calls')),
    chat(say('Made.', 'stop')),
  )
  expect(await prompt(id, 'make it')).toEqual({ stopReason: 'end_turn' })
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true)
  expect(asked.at(-1)).toMatchObject({ toolCall: { title: 'touch made.txt', rawInput: { command: 'touch made.txt' } } })
  expect(updates).toContainEqual({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: 'I make it. ' },
  })
  expect(updates.findLast((update) => update.sessionUpdate === 'tool_call_update')).toMatchObject({
    kind: 'execute',
    status: 'completed',
  })
})

test('a denial reaches the model, and an edit shows its diff', async () => {
  const id = await newSession()
  answer = 'deny'
  replies.push(
    chat(callChunk('1', 'Write', { path: 'new.txt', content: 'one\n' }), finish('tool_calls')),
    chat(say('Then not.', 'stop')),
  )
  await prompt(id, 'write it')
  answer = 'allow'
  expect(existsSync(join(workspace, 'new.txt'))).toBe(false)
  expect(asked.at(-1)?.toolCall.content).toContainEqual({
    type: 'diff',
    path: join(workspace, 'new.txt'),
    oldText: '',
    newText: 'one',
  })
})

test('modes and models are chosen, and what is not there is refused', async () => {
  const id = await newSession()
  await connection.agent.request(methods.agent.session.setMode, { sessionId: id, modeId: 'safe' })
  expect(engine.store.sessions.get(id).mode).toBe('safe')
  await connection.agent.request(methods.agent.session.setConfigOption, {
    sessionId: id,
    configId: 'model',
    value: 'guide',
  })
  expect(engine.store.sessions.get(id).model).toBe('guide')
  await expect(
    connection.agent.request(methods.agent.session.setMode, { sessionId: id, modeId: 'god' }),
  ).rejects.toThrow()
  await expect(prompt('invented', 'hello')).rejects.toThrow()
})

test('a turn is cancelled', async () => {
  const id = await newSession()
  const begun = Promise.withResolvers<void>()
  replies.push((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': wait\n\n')
    begun.resolve()
  })
  const ended = prompt(id, 'wait')
  await begun.promise
  await connection.agent.notify(methods.agent.session.cancel, { sessionId: id })
  expect(await ended).toEqual({ stopReason: 'cancelled' })
})

test('a session is loaded with its past, and listed', async () => {
  const id = await newSession()
  replies.push(chat(say('Remember this.', 'stop')))
  await prompt(id, 'hello')
  updates.length = 0
  await connection.agent.request(methods.agent.session.load, { sessionId: id, cwd: workspace, mcpServers: [] })
  expect(kinds()).toEqual(['user_message_chunk', 'agent_message_chunk'])
  const { sessions } = await connection.agent.request(methods.agent.session.list, { cwd: workspace })
  expect(sessions.map(({ sessionId }) => sessionId)).toContain(id)
})

test('slash commands are offered and used, and hooks hear of what is said', async () => {
  mkdirSync(join(workspace, '.claude/commands'), { recursive: true })
  writeFileSync(
    join(workspace, '.claude/commands/fix.md'),
    '---\ndescription: Fix an issue\nargument-hint: [number]\n---\nFix issue #$1.',
  )
  const command = 'grep -q forbidden && { echo "no such words" >&2; exit 2; }; echo "It is Tuesday."'
  engine.settings.setSection('hooks', { UserPromptSubmit: [{ hooks: [{ type: 'command', command, timeout: 20 }] }] })
  const id = await newSession()
  await expect
    .poll(() => updates.find((update) => update.sessionUpdate === 'available_commands_update'))
    .toMatchObject({
      availableCommands: expect.arrayContaining([
        { name: 'fix', description: 'Fix an issue', input: { hint: '[number]' } },
      ]),
    })
  replies.push(chat(say('Fixed.', 'stop')))
  expect(await prompt(id, '/fix 42')).toEqual({ stopReason: 'end_turn' })
  const sent = JSON.stringify(model.requests.at(-1)?.body)
  expect(sent).toContain('Fix issue #42.')
  expect(sent).toContain('It is Tuesday.')
  expect(await prompt(id, 'a forbidden word')).toEqual({ stopReason: 'refusal' })
  expect(JSON.stringify(updates.at(-1))).toContain('A hook refused this message: no such words')
})
