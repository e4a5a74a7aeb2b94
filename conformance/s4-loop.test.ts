import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel, type Turn } from '../e2e/scripted-model'
import { createEngine } from '../src-main/compose'
import type { Engine } from '../src-main/engine'
import { everything, nodeServer, openHttpServer } from '../src-main/mcp/test-bench'
import { openInProcessHost } from '../src-main/nodes/host-link'
import { memorySecrets } from '../src-main/settings/secrets'
import { definitionsOf, type Tool } from '../src-main/tools/tool'
import { createToolset } from '../src-main/toolsets'
import { cutJson } from '../src-main/toolsets/clawft/clawft'
import type { StopReason } from '../src-preload/contract/events'
import { decides } from './harness'

const builtIns = [
  'read_file',
  'write_file',
  'edit_file',
  'list_directory',
  'exec_shell',
  'memory_read',
  'memory_write',
  'web_search',
  'web_fetch',
  'spawn',
]

let root = ''
let engine: Engine
let model: ScriptedModel
let http: Awaited<ReturnType<typeof openHttpServer>>
const workspace = () => join(root, 'workspace')

/** A whole engine whose settings file is as clawft's documents have it. */
async function openEngine(): Promise<void> {
  mkdirSync(join(root, 'data'), { recursive: true })
  mkdirSync(workspace(), { recursive: true })
  const servers = { web: nodeServer(everything, 'stdio'), remote_server: { url: http.url }, neither: {} }
  const tools = { mcp_servers: servers, web_search: { endpoint: '' } }
  writeFileSync(join(root, 'data', 'settings.json'), JSON.stringify({ tools }))
  engine = await createEngine({
    dataDir: join(root, 'data'),
    openHost: openInProcessHost,
    secrets: memorySecrets(),
    interactive: false,
  })
  await engine.mcp.start()
  await engine.providers.save({ name: 'Scripted', kind: 'openai', baseUrl: model.baseUrl })
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-clawft-'))
  model = await scriptedModel([], { models: ['scripted'] })
  http = await openHttpServer()
  await openEngine()
})
afterAll(async () => {
  await engine.close()
  await Promise.all([model.close(), http.close()])
  rmSync(root, { recursive: true, force: true })
})

interface Played {
  reason: StopReason
  /** The messages of the last request. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever a provider is sent
  messages: any[]
  // biome-ignore lint/suspicious/noExplicitAny: whatever a provider is sent
  tools: any[]
  requests: number
}

/** A turn of a session that speaks clawft, from its first request to its end. */
async function play(...turns: Turn[]): Promise<Played> {
  const first = model.requests.length
  model.push(...turns)
  const [chosen] = engine.providers.list().flatMap(({ models }) => models)
  const session = engine.createSession({
    toolset: 'clawft',
    mode: 'all',
    workspace: workspace(),
    model: chosen?.id ?? '',
  })
  const ended = new Promise<StopReason>((resolve) => {
    const stop = engine.subscribe((event) => {
      if (event.type !== 'turn-end' || event.sessionId !== session.id) return
      stop()
      resolve(event.reason)
    })
  })
  engine.runner.send(session.id, 'Go on', [])
  const reason = await ended
  const { body } = model.requests.at(-1) ?? { body: {} }
  return { reason, messages: body.messages, tools: body.tools, requests: model.requests.length - first }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a provider is sent
const results = (played: Played): any[] =>
  played.messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content))

describe('tools', () => {
  it('S4-Tool-01 each has a name, a description, a schema and a way to run', () => {
    const { tools } = engine.toolset('clawft')
    for (const name of [...builtIns, 'message']) {
      const tool = tools.get(name) as Tool
      expect(tool.description).not.toBe('')
      expect(tool.schema).toMatchObject({ type: 'object', properties: expect.any(Object) })
      expect(tool.run).toBeTypeOf('function')
    }
  })
  it('S4-Tool-02 a result is a JSON value', async () => {
    const [result] = results(await play(calls('list_directory', { path: '.' }), says('done')))
    expect(result).toEqual({ entries: expect.any(Array) })
  })
  const kinds: [string, string, string, unknown, RegExp][] = [
    ['03', 'NotFound', 'no_such_tool', {}, /^tool not found: /],
    ['04', 'InvalidArgs', 'read_file', {}, /^invalid arguments: /],
    ['05', 'ExecutionFailed', 'spawn', { command: '/no/such/program' }, /^execution failed: /],
    ['06', 'PermissionDenied', 'exec_shell', { command: 'sudo ls' }, /^permission denied: /],
    ['07', 'FileNotFound', 'read_file', { path: 'absent' }, /^not found: /],
    ['08', 'InvalidPath', 'read_file', { path: '../../etc/passwd' }, /^invalid path: /],
    ['09', 'Timeout', 'exec_shell', { command: 'sleep 100', timeout: 0.3 }, /^timeout after 0.3s$/],
  ]
  it.each(kinds)('S4-Tool-%s %s is told as JSON', async (_, __, tool, args, words) => {
    const [result] = results(await play(calls(tool, args), says('done')))
    expect(result).toEqual({ error: expect.stringMatching(words) })
  })
})

describe('the loop', () => {
  decides(
    'S4-Loop-01 S4-Loop-02 S4-Loop-03 S4-Loop-05 E4-Loop-01 E4-Loop-02',
    'looks up and runs each call, and goes on until there is none',
    async () => {
      const played = await play(
        [
          { call: 'write_file', args: { path: 'loop.txt', content: 'one' }, id: 'a' },
          { call: 'read_file', args: { path: 'loop.txt' }, id: 'b' },
        ],
        calls('read_file', { path: 'loop.txt' }),
        says('done'),
      )
      expect(played).toMatchObject({ reason: 'done', requests: 3 })
      expect(readFileSync(join(workspace(), 'loop.txt'), 'utf8')).toBe('one')
      const roles = played.messages.map(({ role }) => role)
      expect(roles.slice(roles.indexOf('assistant'))).toEqual(['assistant', 'tool', 'tool', 'assistant', 'tool'])
      expect(results(played)).toEqual([
        { message: 'Successfully wrote 3 bytes to loop.txt' },
        { content: 'one' },
        { content: 'one' },
      ])
    },
  )
  decides('S4-Loop-04 E4-Loop-03', 'sends an error back likewise', async () => {
    const played = await play(calls('read_file', { path: 'a "quoted" name\n' }), says('done'))
    expect(played.reason).toBe('done')
    expect(results(played)).toEqual([{ error: expect.stringContaining('a "quoted" name') }])
  })
  decides('S4-Loop-06 S4-Loop-07', 'stops after 20 rounds', async () => {
    const rounds = Array.from({ length: 20 }, (_, n) => calls('read_file', { path: `absent-${n}` }))
    expect(await play(...rounds)).toMatchObject({ reason: 'limit', requests: 20 })
  })
  it('S4-Loop-08 after as many as the settings say', async () => {
    engine.updateSettings({ maxIterations: 3 })
    const rounds = Array.from({ length: 3 }, (_, n) => calls('read_file', { path: `absent-${n}` }))
    expect(await play(...rounds)).toMatchObject({ reason: 'limit', requests: 3 })
    engine.updateSettings({ maxIterations: 200 })
  })
  decides(
    'S4-Loop-09 S4-Sec-07 E4-Loop-06',
    'cuts results to 65,536 bytes, whichever tool they come from',
    async () => {
      writeFileSync(join(workspace(), 'large.txt'), 'é"\n'.repeat(50_000))
      const played = await play(
        calls('read_file', { path: 'large.txt' }),
        calls('exec_shell', { command: 'head -c 200000 /dev/zero | tr "\\0" x' }),
        says('done'),
      )
      const texts = played.messages.filter(({ role }) => role === 'tool').map(({ content }) => content as string)
      for (const text of texts) {
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536)
        expect(Buffer.byteLength(text)).toBeGreaterThan(65_000)
      }
      expect(results(played)[0]).toEqual({
        _truncated_json: expect.stringContaining('{"content":"'),
        original_bytes: expect.any(Number),
      })
      expect(JSON.parse(cutJson(JSON.stringify('s'.repeat(1000)), 200))).toMatch(
        /^s+\.\.\. \[truncated, original size: 1002 bytes\]$/,
      )
      const list = JSON.parse(cutJson(JSON.stringify(Array.from({ length: 100 }, (_, n) => `row ${n}`)), 300))
      expect(list[0]).toBe('row 0')
      expect(list.at(-1)).toEqual({ _truncated: true, original_count: 100 })
    },
  )
})

describe('MCP', () => {
  decides('S4-Mcp-01 S4-Mcp-02 S4-Mcp-03', 'servers of tools.mcp_servers are there from the start', () => {
    const names = [...engine.toolset('clawft').tools.keys()]
    expect(names).toEqual(expect.arrayContaining(['read_file', 'web__echo', 'remote_server__echo']))
    return Promise.resolve()
  })
  decides('S4-Mcp-04 S4-Mcp-10', 'a command is a process of its own, spoken to over stdin and stdout', async () => {
    const server = engine.mcp.view().find(({ id }) => id === 'web')
    expect(server).toMatchObject({ transport: 'stdio', state: 'ready', pid: expect.any(Number) })
    expect(readFileSync(`/proc/${server?.pid}/cmdline`, 'utf8')).toContain('server-everything')
  })
  it('S4-Mcp-05 an address is spoken to over HTTP', async () => {
    expect(engine.mcp.view().find(({ id }) => id === 'remote_server')).toMatchObject({
      transport: 'http',
      state: 'ready',
    })
    const played = await play(calls('remote_server__get-sum', { a: 2, b: 40 }), says('done'))
    expect(played.messages.findLast(({ role }) => role === 'tool')?.content).toBe('The sum of 2 and 40 is 42.')
  })
  decides('S4-Mcp-06 S4-Mcp-07', 'what has neither is skipped with a warning', async () => {
    expect(engine.mcp.view().find(({ id }) => id === 'neither')).toMatchObject({ state: 'skipped', tools: [] })
    expect(readFileSync(join(root, 'data', 'logs', 'deckhand.log'), 'utf8')).toMatch(
      /"level":"warn".*skipped.*"server":"neither"/,
    )
  })
  decides('S4-Mcp-08 S4-Mcp-09', 'its tools carry the name of the server', async () => {
    const { createMcpTools } = await import('../src-main/tools/mcp-tool')
    const { fullName } = await import('../src-main/mcp/tool-definition')
    expect(fullName('web', 'search')).toBe('web__search')
    expect([...createMcpTools(engine.mcp)().keys()].every((name) => /^(?:web|remote_server)__/.test(name))).toBe(true)
  })
  it('S4-Mcp-11 they are called like any other', async () => {
    const played = await play(
      [
        { call: 'web__echo', args: { message: 'hello' }, id: 'a' },
        { call: 'read_file', args: { path: 'absent' }, id: 'b' },
      ],
      says('done'),
    )
    expect(played.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      'Echo: hello',
      expect.stringContaining('not found: '),
    ])
  })
  decides('S4-Mcp-12 S4-Reg-03 S4-Message-11', 'built-ins first, then MCP, then message', () => {
    const names = [...engine.toolset('clawft').tools.keys()]
    expect(names.slice(0, 10)).toEqual(builtIns)
    expect(names.at(-1)).toBe('message')
    expect(names.slice(10, -1).every((name) => name.includes('__'))).toBe(true)
    expect(names.length).toBeGreaterThan(12)
    return Promise.resolve()
  })
})

describe('registration', () => {
  const bare = { table: {} as never, setTodo: () => {} }
  decides(
    'S4-Reg-01 S4-Reg-02',
    'the ten tools come from the platform and the workspace that they are given',
    async () => {
      expect(definitionsOf(createToolset('clawft', bare)).map(({ name }) => name)).toEqual([...builtIns, 'message'])
      const played = await play(calls('exec_shell', { command: 'pwd' }), says('done'))
      expect(results(played)[0].stdout).toBe(`${workspace()}\n`)
    },
  )
  it('S4-Reg-04 a later name replaces an earlier one', () => {
    const mine = { description: 'mine' } as Tool
    const { tools } = createToolset('clawft', {
      ...bare,
      mcp: () =>
        new Map([
          ['read_file', mine],
          ['message', mine],
        ]),
    })
    expect(tools.get('read_file')).toBe(mine)
    expect(tools.get('message')).not.toBe(mine)
    expect([...tools.keys()].filter((name) => name === 'read_file')).toHaveLength(1)
  })
  it('S4-WebSearch-10 the endpoint comes from tools.web_search.endpoint', async () => {
    const asked: string[] = []
    const { createServer } = await import('node:http')
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('[{"title":"t"}]')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    engine.settings.setSection('tools', { web_search: { endpoint: `http://127.0.0.1:${port}/api` } })
    const [result] = results(await play(calls('web_search', { query: 'sea' }), says('done')))
    server.closeAllConnections()
    server.close()
    expect(result).toEqual({ query: 'sea', results: [{ title: 't' }] })
    expect(asked[0]).toContain('q=sea')
  })
})
