import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatch } from '../src-main/tools/dispatch'
import { createToolset } from '../src-main/toolsets'
import { openEcho } from './echo-model'
import { decides, type Json, until } from './harness'
import { type JoinedNode, openWorld } from './world'

describe('without a gateway', () => {
  it.each([
    ['S1-ConfigGet-09', 'ConfigGet', {}],
    ['S1-LogsGet-09', 'LogsGet', {}],
    ['S1-Cron-31', 'Cron', { action: 'status' }],
    ['S1-Message-12', 'Message', { text: 'hello' }],
    ['S1-SessList-12', 'SessionsList', {}],
    ['S1-SessSend-12', 'SessionSend', { sessionKey: 'main', message: 'hello' }],
  ])('%s %s says so', async (_, tool, args) => {
    const toolset = createToolset('gsv', { table: {} as never, setTodo: () => {} })
    const scope = { sessionId: 's', callId: 'c', workspace: '/', signal: new AbortController().signal }
    const nothing = { subCommands: [], ruleIds: [], offers: [], resources: [], targets: [] }
    const gate = {
      mode: 'all' as const,
      decide: () => ({ verdict: 'allow' as const, reason: '', ...nothing }),
      ask: () => Promise.reject(),
    }
    const sink = { gist: () => {}, grant: () => {}, state: () => {} }
    const call = { toolset, name: `gsv__${tool}`, arguments: args }
    const { content } = await dispatch(call, scope, gate, sink, { maxResultBytes: 1e6, spillDir: '/nowhere' })
    expect(content).toEqual([{ type: 'text', text: '{"ok":false,"error":"Gateway context unavailable"}' }])
  })
})

describe('configuration', () => {
  const world = openWorld()
  const { result } = world
  const config = async (path?: string) => result('ConfigGet', path === undefined ? {} : { path })

  beforeAll(async () => {
    await world.engine.providers.save({
      name: 'Paid',
      kind: 'openai',
      baseUrl: 'http://127.0.0.1:9',
      key: 'sk-very-secret-key-123456',
    })
  })

  it('S1-ConfigGet-01 has its name', () =>
    expect(world.definitions().map(({ name }) => name)).toContain('gsv__ConfigGet'))
  decides('S1-ConfigGet-02 S1-ConfigGet-06', 'without a path it is all of it', async () => {
    const whole = await config()
    expect(Object.keys(whole)).toEqual(['config'])
    expect(Object.keys(whole.config as Json)).toEqual(
      expect.arrayContaining(['session', 'channels', 'gateway', 'timeouts', 'agents']),
    )
  })
  decides('S1-ConfigGet-03 S1-ConfigGet-04', 'session.dmScope', async () => {
    expect(await config('session.dmScope')).toEqual({ path: 'session.dmScope', value: 'per-channel-peer' })
  })
  it('S1-ConfigGet-05 channels.whatsapp.allowFrom', async () => {
    expect(await config('channels.whatsapp.allowFrom')).toEqual({ path: 'channels.whatsapp.allowFrom', value: [] })
  })
  it('S1-ConfigGet-07 secrets are masked, with and without a path', async () => {
    const { apiKeys, auth } = (await config()).config as { apiKeys: Json; auth: Json }
    expect(Object.values(apiKeys)).toEqual(['***'])
    expect(auth).toEqual({ token: '***' })
    expect((await config('apiKeys')).value).toEqual(apiKeys)
    expect((await config(`apiKeys.${Object.keys(apiKeys)[0]}`)).value).toBe('***')
    expect((await config('auth.token')).value).toBe('***')
    expect(JSON.stringify(await config())).not.toContain('very-secret')
  })
  it('S1-ConfigGet-08 changes nothing, and shows only what is its own', async () => {
    const before = await config()
    for (const path of ['constructor', '__proto__', 'session.__proto__.x', 'channels.toString', 'no.such.path'])
      expect(await config(path)).toEqual({ path })
    expect(await config()).toEqual(before)
  })
})

describe('logs', () => {
  const world = openWorld()
  const { result, error } = world

  it('S1-LogsGet-01 has its name', () => expect(world.definitions().map(({ name }) => name)).toContain('gsv__LogsGet'))
  decides('S1-LogsGet-04 S1-LogsGet-05', 'the only node, and 100 lines, by default', async () => {
    const file = join(world.dataDir, 'logs/deckhand.log')
    appendFileSync(file, Array.from({ length: 6000 }, (_, n) => `{"n":${n}}\n`).join(''))
    const found = await result('LogsGet')
    expect(found).toMatchObject({ nodeId: world.engine.nodes.registry.localId(), count: 100, truncated: true })
    expect((found.lines as string[]).at(-1)).toBe('{"n":5999}')
  })
  it('S1-LogsGet-06 at most 5000 lines', async () => {
    const { lines, count } = (await result('LogsGet', { lines: 100_000 })) as { lines: string[]; count: number }
    expect([lines.length, count, lines[0]]).toEqual([5000, 5000, '{"n":1000}'])
  })

  describe('of several nodes', () => {
    let node: JoinedNode
    beforeAll(async () => {
      node = await world.join('laptop')
    })
    decides('S1-LogsGet-02 S1-LogsGet-07', 'a node is chosen by its name', async () => {
      await world.answer('laptop__Glob', { pattern: '*' })
      const found = await result('LogsGet', { nodeId: 'laptop', lines: 1 })
      expect(found).toEqual({ nodeId: 'laptop', lines: [expect.any(String)], count: 1, truncated: true })
      expect(JSON.parse((found.lines as string[])[0] ?? '')).toBeTypeOf('object')
    })
    it('S1-LogsGet-03 which is needed', async () => {
      expect(await error('LogsGet')).toMatch(/nodeId.*required.*laptop/)
      expect(await error('LogsGet', { nodeId: 'nobody' })).toContain('nobody')
    })
    it('S1-LogsGet-08 changes nothing', async () => {
      const nodes = () => world.engine.nodes.registry.list().map(({ id, state }) => [id, state])
      const before = nodes()
      await result('LogsGet', { nodeId: 'laptop' })
      expect(nodes()).toEqual(before)
      expect(node.child.exitCode).toBeNull()
    })
  })
})

describe('sessions', () => {
  const world = openWorld()
  const { result, error } = world
  const echo = openEcho()
  const names = () => world.definitions().map(({ name }) => name)

  beforeAll(async () => {
    world.engine.updateSettings({ defaultModel: `${world.engine.providers.addTemporary('openai', echo.url())}/echo` })
  })

  const list = async (args: object = {}) =>
    (await result('SessionsList', args)) as { sessions: Json[]; count: number; offset: number; limit: number }
  const send = (args: object) => result('SessionSend', args)
  const wordsOf = (key: string) => {
    const session = world.engine.post.find(key)
    return session ? world.engine.post.history(session.id, 20).map(({ role, content }) => `${role}: ${content}`) : []
  }

  describe('SessionSend', () => {
    it('S1-SessSend-01 has its name', () => expect(names()).toContain('gsv__SessionSend'))
    it('S1-SessSend-02 needs a key', async () =>
      expect(await error('SessionSend', { message: 'x' })).toContain('sessionKey'))
    it('S1-SessSend-05 needs a message', async () =>
      expect(await error('SessionSend', { sessionKey: 'main' })).toContain('message'))
    decides('S1-SessSend-03 S1-SessSend-09 S1-SessSend-10 S1-SessSend-11', 'main answers', async () => {
      expect(await send({ sessionKey: 'main', message: 'one' })).toEqual({
        status: 'ok',
        runId: expect.any(String),
        sessionKey: 'agent:main:main',
        reply: 'You said: one',
      })
      expect(wordsOf('main')).toEqual(['user: one', 'assistant: You said: one'])
    })
    it('S1-SessSend-04 agent:helper:main is the main session of another agent', async () => {
      await world.engine.agents.agents.create('helper')
      expect(await send({ sessionKey: 'agent:helper:main', message: 'two' })).toMatchObject({
        status: 'ok',
        sessionKey: 'agent:helper:main',
        reply: 'You said: two',
      })
      expect(world.engine.post.find('agent:helper:main')).toMatchObject({ agentId: 'helper' })
      expect(wordsOf('main')).not.toContain('user: two')
      expect(await error('SessionSend', { sessionKey: 'no-such-session', message: 'x' })).toContain('no-such-session')
      expect(await error('SessionSend', { sessionKey: 'agent:helpr:main', message: 'x' })).toContain('mean helper?')
    })
    it('S1-SessSend-06 waitSeconds 0 does not wait', async () => {
      const release = echo.hold()
      expect(await send({ sessionKey: 'main', message: 'slow', waitSeconds: 0 })).toEqual({
        status: 'accepted',
        runId: expect.any(String),
        sessionKey: 'agent:main:main',
        queued: false,
      })
      expect(await send({ sessionKey: 'main', message: 'behind', waitSeconds: 0 })).toMatchObject({
        status: 'accepted',
        queued: true,
      })
      // The answer to this message, not to those before it.
      const reply = send({ sessionKey: 'main', message: 'last', waitSeconds: 60 })
      release()
      expect(await reply).toMatchObject({ status: 'ok', reply: 'You said: last' })
      expect(wordsOf('main').slice(-6)).toEqual([
        'user: slow',
        'assistant: You said: slow',
        'user: behind',
        'assistant: You said: behind',
        'user: last',
        'assistant: You said: last',
      ])
    })
    decides('S1-SessSend-07 S1-SessSend-08', 'waits 30 seconds by default and at most 120', async () => {
      const waits = (args: object) => waitOf({ sessionKey: 'main', message: 'x', ...args })
      expect([await waits({}), await waits({ waitSeconds: 7 }), await waits({ waitSeconds: 9999 })]).toEqual([
        30, 7, 120,
      ])
    })
    it('no answer in time is told as such', async () => {
      const release = echo.hold()
      const started = await send({ sessionKey: 'main', message: 'never', waitSeconds: 0.05 })
      release()
      expect(started).toEqual({
        status: 'timeout',
        runId: expect.any(String),
        sessionKey: 'agent:main:main',
        waitedSeconds: 0.05,
      })
      await until(() => wordsOf('main').at(-1) === 'assistant: You said: never')
    })
  })

  /** What the tool asks the service to wait: nobody wants to sit through it. */
  const waitOf = async (args: object): Promise<number> => {
    let waited = -1
    const post = {
      ...world.engine.post,
      send: async (request: { waitSeconds: number }) => {
        waited = request.waitSeconds
        return { status: 'timeout' as const, runId: '', sessionKey: '', waitedSeconds: waited }
      },
    }
    const toolset = createToolset('gsv', { table: world.engine.table, setTodo: () => {}, post })
    const tool = toolset.tools.get('gsv__SessionSend')
    await tool?.run(tool.parse(args), {
      sessionId: world.session.id,
      callId: 'c',
      workspace: '/',
      signal: new AbortController().signal,
      resultBytes: 1e6,
      show: () => {},
    })
    return waited
  }

  describe('SessionsList', () => {
    beforeAll(() => {
      for (let n = 0; n < 120; n++) world.engine.createSession({ title: `Session ${n}` })
    })
    it('S1-SessList-01 has its name', () => expect(names()).toContain('gsv__SessionsList'))
    decides('S1-SessList-02 S1-SessList-04', '20 from the start by default', async () => {
      const first = await list()
      expect(first).toMatchObject({ count: 20, offset: 0, limit: 20 })
      expect(first.sessions[0]).toMatchObject({ label: 'Session 119' })
      expect((await list({ offset: 5, limit: 2 })).sessions).toEqual(first.sessions.slice(5, 7))
    })
    it('S1-SessList-03 at most 100', async () =>
      expect(await list({ limit: 1000 })).toMatchObject({ count: 100, limit: 100 }))
    decides('S1-SessList-05 S1-SessList-10', 'up to 20 messages of each', async () => {
      const main = async (messageLimit: number) =>
        (await list({ limit: 100, offset: 100, messageLimit })).sessions
          .concat((await list({ limit: 100, messageLimit })).sessions)
          .find(({ sessionKey }) => sessionKey === 'agent:main:main')
      for (let n = 0; n < 15; n++) await send({ sessionKey: 'main', message: `message ${n}` })
      expect((await main(99))?.messages).toHaveLength(20)
      expect((await main(2))?.messages).toEqual([
        { role: 'user', content: 'message 14', timestamp: expect.any(Number) },
        { role: 'assistant', content: 'You said: message 14', timestamp: expect.any(Number) },
      ])
      expect(await main(-5)).not.toHaveProperty('messages')
    })
    it('S1-SessList-06 no messages by default', async () => {
      for (const session of (await list()).sessions) expect(session).not.toHaveProperty('messages')
    })
    decides('S1-SessList-07 S1-SessList-08 S1-SessList-09', 'keys, labels and times', async () => {
      const [first] = (await list({ limit: 1 })).sessions
      const latest = world.engine.store.sessions.list()[0]
      expect(first).toEqual({
        sessionKey: 'agent:main:main',
        label: latest?.title,
        lastActiveAt: latest?.updatedAt,
        createdAt: latest?.createdAt,
        messageCount: expect.any(Number),
      })
    })
    it('S1-SessList-11 changes nothing', async () => {
      const before = await list({ limit: 100 })
      expect(await list({ limit: 100 })).toEqual(before)
    })
  })
  afterAll(() => echo.close())
})
