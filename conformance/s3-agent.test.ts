import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  calls,
  gate,
  type ModelRequest,
  type ScriptedModel,
  says,
  scriptedModel,
  type Turn,
} from '../e2e/scripted-model'
import { createTestClock } from '../src-main/schedule/test-bench'
import { definitionsOf, type Toolset } from '../src-main/tools/tool'
import { createSubAgentToolset, createToolset } from '../src-main/toolsets'
import { withoutServices } from '../src-main/toolsets/deps'
import { mainAgentTools, subAgentTools } from '../src-main/toolsets/miclaw/miclaw'
import type { Session } from '../src-preload/contract/sessions'
import { decides, until } from './harness'
import { openOutside } from './outside'
import { openWorld } from './world'

const groups: Record<string, string[]> = {
  fs: ['read', 'write', 'edit', 'apply_patch', 'grep', 'glob', 'ls'],
  runtime: ['exec', 'process'],
  automation: ['cron'],
  messaging: ['message'],
  introspection: ['agents_list'],
  sessions: ['sessions_list', 'sessions_history', 'sessions_send', 'sessions_spawn', 'subagents', 'sessions_status'],
  memory: ['memory_search', 'memory_get'],
}
const all = Object.values(groups).flat()
const six = ['read', 'grep', 'glob', 'ls', 'memory_search', 'memory_get']
const number = (index: number) => String(index + 1).padStart(2, '0')

const time = createTestClock(Date.parse('2026-11-16T08:00:00Z'))
const world = openWorld({ clock: time.clock, timeZone: 'Europe/Berlin' })
const outside = openOutside()
let model: ScriptedModel
let session: Session
/** What the model says when nothing was scripted. */
let answers: (request: ModelRequest) => Turn = () => says('ok')

beforeAll(async () => {
  model = await scriptedModel([], { models: ['scripted'], otherwise: (request) => answers(request) })
  const { engine, workspace } = world
  await engine.providers.save({ name: 'Scripted', kind: 'openai', baseUrl: model.baseUrl })
  const [chosen] = engine.providers.list().flatMap(({ models }) => models)
  engine.updateSettings({ modelCorrections: { [chosen?.id ?? '']: { price: { input: 1, output: 2 } } } })
  engine.updateSettings({ defaultModel: chosen?.id ?? '', defaultToolset: 'miclaw' })
  outside.addChannel(world, 'signal')
  session = engine.createSession({ toolset: 'miclaw', mode: 'all', workspace, title: 'Work' })
  engine.schedule.start()
})
afterAll(() => model.close())

interface Told {
  text: string
  failed: boolean
}

const isChild = ({ body }: ModelRequest) => JSON.stringify(body.messages[0]).includes('sub-agent of Deckhand')
const toolTexts = (request: ModelRequest | undefined): string[] =>
  request?.body.messages.flatMap(({ role, content }: { role: string; content: string }) =>
    role === 'tool' ? [content] : [],
  ) ?? []

/** One call in a turn of its own, as a model makes it. */
async function ask(tool: string, args: unknown = {}): Promise<Told> {
  const { engine } = world
  const before = answers
  let asked = false
  answers = (request) => {
    if (isChild(request) || asked) return before(request)
    asked = true
    return calls(tool, args)
  }
  await engine.runner.sendAndWait(session.id, 'Go on')
  answers = before
  const { calls: made } = engine.store.messages.page(session.id, undefined, 5)
  const state = made.at(-1)?.state
  if (state?.status !== 'done' && state?.status !== 'failed') throw new Error(`It was ${state?.status}`)
  const [first] = state.content
  return { text: first?.type === 'text' ? first.text : '', failed: state.status === 'failed' }
}
const works = async (tool: string, args: unknown = {}): Promise<string> => {
  const { text, failed } = await ask(tool, args)
  if (failed) throw new Error(`${tool} failed: ${text}`)
  return text
}
const fails = async (tool: string, args: unknown = {}): Promise<string> => {
  const { text, failed } = await ask(tool, args)
  if (!failed) throw new Error(`${tool} did not fail: ${text}`)
  return text
}

describe('assembly', () => {
  const bare = { table: {} as never, setTodo: () => {} }
  const names = (toolset: Toolset) => definitionsOf(toolset).map(({ name }) => name)
  const main = createToolset('miclaw', bare)
  const sub = createSubAgentToolset('miclaw', bare)

  it('S3-Iface-01 a tool has a name, a description, a schema and a way to run', () => {
    for (const [name, tool] of main.tools) {
      expect(name).toMatch(/^[a-z_]+$/)
      expect(tool.description).not.toBe('')
      expect(tool.schema).toMatchObject({ type: 'object' })
      expect(tool.run).toBeTypeOf('function')
    }
  })
  decides(
    'S3-Iface-02 S3-Iface-03',
    'a call has id, name and JSON; its result is a text, and whether it failed',
    async () => {
      const done = await ask('ls', { path: '.' })
      const failed = await ask('read', { path: 'absent' })
      expect([done.failed, failed.failed]).toEqual([false, true])
      expect(failed.text).toMatch(/^Error: .*absent/)
      const { messages } = model.requests.at(-1)?.body ?? {}
      const call = messages.flatMap((message: { tool_calls?: object[] }) => message.tool_calls ?? []).at(-1)
      expect(call).toMatchObject({ id: expect.any(String), function: { name: 'read', arguments: '{"path":"absent"}' } })
      expect(messages.findLast(({ role }: { role: string }) => role === 'tool')).toMatchObject({
        tool_call_id: call.id,
        content: failed.text,
      })
    },
  )
  it.each(all.map((name, index) => [`S3-Main-${number(index)}`, name]))('%s the main agent has %s', (_, name) => {
    expect(names(main)).toContain(name)
  })
  it.each(six.map((name, index) => [`S3-Sub-${number(index)}`, name]))('%s a sub-agent has %s', (_, name) => {
    expect(names(sub)).toContain(name)
  })
  const lacking = all.filter((name) => !six.includes(name))
  it.each(lacking.map((name, index) => [`S3-Sub-${number(index + 6)}`, name]))('%s a sub-agent lacks %s', (_, name) => {
    expect(names(sub)).not.toContain(name)
  })
  it.each(Object.keys(groups).map((group, index) => [`S3-Group-${number(index)}`, group]))(
    '%s the group %s is there as a whole and in its place',
    (_, group) => {
      const members = groups[group] ?? []
      const first = names(main).indexOf(members[0] ?? '')
      expect(names(main).slice(first, first + members.length)).toEqual(members)
    },
  )
  it('S3-Asm-01 the main agent has exactly these 20', () => {
    expect(names(main)).toEqual(all)
    expect(all).toHaveLength(20)
  })
  it('S3-Asm-02 a sub-agent has exactly these 6', () => expect(names(sub)).toEqual(six))
  it('S3-Asm-03 one function makes the main set', () => {
    expect([...mainAgentTools(withoutServices(bare)).keys()]).toEqual(all)
  })
  it('S3-Asm-04 one function makes the set of a sub-agent', () => {
    expect([...subAgentTools(withoutServices(bare)).keys()]).toEqual(six)
  })
  decides('S3-Asm-05 S3-Asm-06', 'every schema is an object at its root, in whatever request', async () => {
    for (const { parameters } of definitionsOf(main)) expect(parameters.type).toBe('object')
    await ask('subagents')
    const { tools } = model.requests.at(-1)?.body ?? {}
    expect(tools.map(({ function: { name } }: { function: { name: string } }) => name)).toEqual(all)
    for (const { type, function: made } of tools) {
      expect(type).toBe('function')
      expect(made.parameters).toMatchObject({ type: 'object', properties: expect.any(Object) })
    }
  })
})

describe('cron', () => {
  decides('S3-Cron-01 S3-Cron-02 S3-Cron-03 S3-Cron-06', 'adds, lists and removes by id', async () => {
    const id = (await works('cron', { action: 'add', schedule: '0 9 * * 1-5', prompt: 'Water the plants' })).split(
      ' ',
    )[1]
    expect(await works('cron', { action: 'list' })).toBe(`${id}\t0 9 * * 1-5\tWater the plants`)
    expect(await fails('cron', { action: 'remove' })).toContain('id')
    expect(await works('cron', { action: 'remove', id })).toContain(id)
    expect(await works('cron', { action: 'list' })).toBe('No jobs.')
    expect(await fails('cron', { action: 'remove', id })).toContain(id)
  })
  decides('S3-Cron-04 S3-Cron-05', 'schedule is a cron expression, prompt what is said', async () => {
    expect(await fails('cron', { action: 'add', schedule: 'every day', prompt: 'x' })).toContain('every day')
    expect(await fails('cron', { action: 'add', schedule: '* * * * *' })).toContain('prompt')
    expect(await fails('cron', { action: 'add', prompt: 'x' })).toContain('schedule')
  })
  decides('S3-Cron-07 S3-Cron-08', 'when it fires, its prompt is said to the agent, who answers', async () => {
    await works('cron', { action: 'add', schedule: '30 8 * * *', prompt: 'Is the tide in?' })
    const before = model.requests.length
    await time.advance(31 * 60_000)
    await until(() => model.requests.length > before)
    await world.engine.schedule.settled()
    const { engine } = world
    const main = engine.post.find('main')?.id ?? ''
    await engine.runner.settled(main)
    const words = engine.post.history('main', 10)
    expect(words.at(-2)).toMatchObject({ role: 'user', content: expect.stringContaining('Is the tide in?') })
    expect(words.at(-1)).toMatchObject({ role: 'assistant', content: 'ok' })
  })
})

describe('message', () => {
  it('S3-Message-01 needs to, as channel:address', async () => {
    expect(await fails('message', { content: 'x' })).toContain('to')
    expect(await fails('message', { to: '+15551234567', content: 'x' })).toContain('channel:address')
  })
  it('S3-Message-02 needs a content', async () => {
    expect(await fails('message', { to: 'signal:+15551234567' })).toContain('content')
  })
  it('S3-Message-03 reaches the channel', async () => {
    await works('message', { to: 'signal:+15551234567', content: 'The tide is in' })
    expect(outside.delivered.at(-1)).toMatchObject({ channel: 'signal', to: '+15551234567', text: 'The tide is in' })
    expect(await fails('message', { to: 'nowhere:x', content: 'y' })).toContain('nowhere')
  })
})

describe('sessions', () => {
  it('S3-Sess-01 agents_list tells of the agent', async () => {
    expect(await works('agents_list')).toMatch(/^agent: main\nmodel: .*scripted\nworkspace: .*\nsessions: \d+$/)
  })
  decides('S3-Sess-02 S3-Sess-03', 'sessions_list has the 20 latest', async () => {
    for (let n = 0; n < 25; n++) world.engine.createSession({ title: `Chat ${n}` })
    const listed = (await works('sessions_list')).split('\n')
    expect(listed).toHaveLength(20)
    expect(listed[0]).toMatch(new RegExp(`^${session.id}\t\\d+\t\\S+\tWork$`))
    expect((await works('sessions_list', { limit: 3 })).split('\n')).toHaveLength(3)
  })
  it('S3-Sess-04 sessions_history needs a session_id', async () => {
    expect(await fails('sessions_history')).toContain('session_id')
    expect(await fails('sessions_history', { session_id: 'nobody' })).toContain('nobody')
  })
  decides('S3-Sess-05 S3-Sess-06', 'sessions_history has the messages, as many as asked for', async () => {
    const other = world.engine.createSession({ title: 'Other', mode: 'all' })
    await world.engine.runner.sendAndWait(other.id, 'first words')
    await world.engine.runner.sendAndWait(other.id, 'second words')
    const history = await works('sessions_history', { session_id: other.id })
    expect(history.split('\n\n').map((line) => line.replace(/^\[.*?\] /, ''))).toEqual([
      'user: first words',
      'assistant: ok',
      'user: second words',
      'assistant: ok',
    ])
    expect((await works('sessions_history', { session_id: other.id, limit: 1 })).split('\n\n')).toHaveLength(1)
  })
  it('S3-Sess-07 sessions_send needs a session_id', async () => {
    expect(await fails('sessions_send', { content: 'x' })).toContain('session_id')
  })
  it('S3-Sess-08 sessions_send needs a content', async () => {
    expect(await fails('sessions_send', { session_id: session.id })).toContain('content')
  })
  it('S3-Sess-09 sessions_send is heard in another session', async () => {
    // In a folder of its own: two sessions in one folder are told of each other.
    const workspace = join(world.workspace, 'listener')
    mkdirSync(workspace)
    const other = world.engine.createSession({ title: 'Listener', mode: 'all', workspace })
    await works('sessions_send', { session_id: other.id, content: 'a word from next door' })
    await world.engine.runner.settled(other.id)
    expect(world.engine.post.history(other.id, 5).map(({ content }) => content)).toEqual([
      'a word from next door',
      'ok',
    ])
    expect(await fails('sessions_send', { session_id: 'nobody', content: 'x' })).toContain('nobody')
  })
  it('S3-Sess-10 sessions_spawn needs a prompt', async () => {
    expect(await fails('sessions_spawn')).toContain('prompt')
  })
  decides(
    'S3-Sess-11 S3-Sess-12 S3-Sess-13',
    'sessions_spawn lets a child with tools that read find the answer',
    async () => {
      writeFileSync(join(world.workspace, 'tide.txt'), 'High water at noon\n')
      answers = (request) => {
        if (!isChild(request)) return says('ok')
        const read = toolTexts(request)
        return read.length === 0 ? calls('read', { path: 'tide.txt' }) : says(`It says: ${read[0]}`)
      }
      expect(await works('sessions_spawn', { prompt: 'When is high water?' })).toBe('It says: 1\tHigh water at noon')
      answers = () => says('ok')
      const child = world.engine.store.sessions.list().find(({ parentId }) => parentId === session.id)
      expect(child).toMatchObject({ title: 'When is high water?', mode: 'read-only', toolset: 'miclaw' })
      const asked = model.requests.findLast(isChild)
      expect(asked?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual(six)
      const place = { node: 'local', cwd: world.workspace, workspace: world.workspace }
      const write = { action: 'exec', command: 'touch here', shell: 'login', ...place } as const
      expect((await world.engine.decide(write, child?.id ?? '')).verdict).toBe('deny')
    },
  )
  it('S3-Sess-14 subagents lists those at work', async () => {
    const held = gate()
    answers = (request) => (isChild(request) ? [{ gate: held }, { text: 'done' }] : says('ok'))
    const other = world.engine.createSession({ title: 'Parent', mode: 'all', toolset: 'miclaw' })
    model.push(calls('sessions_spawn', { prompt: 'Wait for me' }))
    const ended = world.engine.runner.sendAndWait(other.id, 'Go')
    await held.reached
    const tool = world.engine.toolset('miclaw').tools.get('subagents')
    const context = { sessionId: other.id, callId: 'c', workspace: '/', signal: AbortSignal.timeout(60_000) }
    const look = async () => (await tool?.run({}, { ...context, resultBytes: 1e5, show: () => {} }))?.content
    expect(await look()).toMatchObject([{ text: expect.stringMatching(/^c_\S+\t.*\tWait for me$/) }])
    held.open()
    await ended
    answers = () => says('ok')
    expect(await look()).toMatchObject([{ text: 'No sub-agents are at work.' }])
  })
  decides('S3-Sess-15 S3-Sess-16 S3-Sess-17 S3-Sess-18', 'sessions_status tells of this session', async () => {
    const status = await works('sessions_status')
    const { store } = world.engine
    expect(status).toMatch(new RegExp(`^id: ${session.id}$`, 'm'))
    expect(Number(/^messages: (\d+)$/m.exec(status)?.[1])).toBeGreaterThan(store.messages.count(session.id) - 5)
    expect(Number(/^input_tokens: (\d+)$/m.exec(status)?.[1])).toBeGreaterThan(0)
    expect(Number(/^output_tokens: (\d+)$/m.exec(status)?.[1])).toBeGreaterThan(0)
    expect(status).toMatch(/^cost: \$\d+\.\d{4}$/m)
  })
})

describe('memory', () => {
  const notes = () => join(world.dataDir, 'agents', 'main')
  const topics = ['boats', 'bread', 'chess', 'roses', 'trains', 'wool', 'bees', 'clocks', 'paint', 'stamps']
  beforeAll(async () => {
    mkdirSync(join(notes(), 'memory'), { recursive: true })
    writeFileSync(
      join(notes(), 'MEMORY.md'),
      '# About the user\n\nThe user is allergic to peanuts and never eats them.\n\nThe car is parked on the third level of the garage.\n',
    )
    writeFileSync(
      join(notes(), 'memory', 'garden.md'),
      '# Garden\n\nTomatoes were planted along the south wall in May.\n',
    )
    const many = topics.map((topic) => `## ${topic}\n\nA remark about the hobby of collecting ${topic} at home.\n`)
    writeFileSync(join(notes(), 'memory', 'hobbies.md'), many.join('\n'))
    // The first look loads the model.
    await world.engine.agents.memory.search('main', { query: 'anything' })
    await until(async () => (await world.engine.agents.memory.state('main')).pending === 0)
  })
  const hits = (text: string) =>
    [...text.matchAll(/^(\S+):(\d+)-(\d+) \(score ([\d.]+)\)\n(.*)$/gm)].map(([, path, from, to, score, snippet]) => ({
      path,
      from: Number(from),
      to: Number(to),
      score: Number(score),
      snippet,
    }))
  const search = async (query: string, more: object = {}) => hits(await works('memory_search', { query, ...more }))

  it('S3-MemSearch-01 needs a query', async () => expect(await fails('memory_search')).toContain('query'))
  decides(
    'S3-MemSearch-04 S3-MemSearch-06 S3-MemSearch-08 S3-MemSearch-09 S3-MemSearch-10 S3-MemSearch-11',
    'finds by meaning in MEMORY.md, with path, lines, score and text',
    async () => {
      const [first] = await search('Which foods are dangerous for this person?', { min_score: 0.2 })
      expect(first).toMatchObject({ path: 'MEMORY.md', snippet: expect.any(String) })
      const [parked] = await search('Where did I leave my vehicle?', { min_score: 0.2 })
      expect(parked?.path).toBe('MEMORY.md')
      expect(parked?.from).toBeLessThanOrEqual(5)
      expect(parked?.to).toBeGreaterThanOrEqual(5)
      expect(parked?.score).toBeGreaterThan(0)
    },
  )
  it('S3-MemSearch-05 and in the fragments', async () => {
    expect((await search('What grows in the garden beside the wall?'))[0]?.path).toBe('memory/garden.md')
  })
  decides('S3-MemSearch-02 S3-MemSearch-07', 'the best six, in order', async () => {
    const found = await search('collecting things as a hobby at home', { min_score: 0.05 })
    expect(found.length).toBeLessThanOrEqual(6)
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a))
    expect(await search('collecting things as a hobby at home', { min_score: 0.05, max_results: 1 })).toHaveLength(1)
    expect(JSON.stringify(world.engine.toolset('miclaw').tools.get('memory_search')?.schema)).toContain('Default 6')
  })
  it('S3-MemSearch-03 nothing below 0.35', async () => {
    const query = 'quarterly inflation in Mongolia'
    expect(await works('memory_search', { query })).toBe('Nothing found.')
    expect(await search(query, { min_score: 0 })).not.toEqual([])
    expect(JSON.stringify(world.engine.toolset('miclaw').tools.get('memory_search')?.schema)).toContain('Default 0.35')
  })
  it('S3-MemGet-01 needs a path', async () => {
    expect(await fails('memory_get')).toContain('path')
    expect(await fails('memory_get', { path: '../../settings.json' })).not.toContain('default')
  })
  decides('S3-MemGet-02 S3-MemGet-03 S3-MemGet-04', 'so many lines from one on', async () => {
    expect(await works('memory_get', { path: 'MEMORY.md', from: 3, lines: 1 })).toBe(
      'The user is allergic to peanuts and never eats them.',
    )
    expect(await works('memory_get', { path: 'memory/garden.md', from: 3 })).toContain('Tomatoes')
    expect(await works('memory_get', { path: 'memory/garden.md', lines: 1 })).toBe('# Garden')
  })
})
