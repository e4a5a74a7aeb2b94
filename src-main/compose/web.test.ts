import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import type { Engine } from '../engine'
import { everything, nodeServer } from '../mcp/test-bench'
import { definitionsOf, type ToolContext } from '../tools/tool'
import { openEngine } from './test-engine'

let engine: Engine
let root = ''
afterEach(async () => {
  await engine.close()
  rmSync(root, { recursive: true, force: true })
})

async function open(servers: object, tools: object = {}): Promise<void> {
  root = mkdtempSync(join(tmpdir(), 'deckhand-web-'))
  mkdirSync(join(root, 'workspace'))
  writeFileSync(join(root, 'settings.json'), JSON.stringify({ mcpServers: servers, tools }))
  engine = await openEngine(root, { interactive: true })
  await engine.mcp.start()
}
const session = (mode: ApprovalMode) =>
  engine.createSession({ workspace: join(root, 'workspace'), mode, model: 'guide' })
const judge = async (tool: string, args: object, sessionId: string, toolset = 'deckhand') => {
  const found = engine.toolset(toolset).tools.get(tool)
  const access = await found?.access(args, { workspace: join(root, 'workspace') } as ToolContext)
  if (!access) throw new Error(`There is no ${tool}`)
  return engine.decide(access, sessionId)
}

it('the tools of servers are in every vocabulary, behind the same gate, and allowed by rules that end with them', async () => {
  await open({ every: nodeServer(everything, 'stdio') })
  const { id } = session('safe')
  for (const toolset of ['deckhand', 'gsv', 'clawft']) {
    expect(await judge('every__echo', { message: 'x' }, id, toolset)).toMatchObject({
      verdict: 'ask',
      reason: 'It wants to use the tool echo of the MCP server every',
    })
  }
  // There are many of them: a request names them, and says no more until they are asked for.
  const definitions = definitionsOf(engine.toolset('deckhand'), id)
  expect(definitions.find(({ name }) => name === 'MoreTools')?.description).toContain('every__echo')
  expect(definitions.map(({ name }) => name)).not.toContain('every__echo')

  engine.mcp.setPolicy('every', 'echo', 'allow')
  expect(await judge('every__echo', { message: 'x' }, id)).toMatchObject({ verdict: 'allow' })
  expect(await judge('every__get-sum', { a: 1, b: 2 }, id)).toMatchObject({ verdict: 'ask' })
  expect(engine.store.rules.list()).toHaveLength(1)
  expect(await judge('every__echo', {}, session('read-only').id)).toMatchObject({ verdict: 'deny' })
  engine.mcp.remove('every')
  expect(engine.store.rules.list()).toEqual([])
})

it('a tool that changed asks even where everything is allowed', async () => {
  await open({ every: nodeServer(everything, 'stdio') })
  const { id } = session('all')
  engine.mcp.tools()
  expect(await judge('every__echo', { message: 'x' }, id)).toMatchObject({ verdict: 'allow' })
  const config = nodeServer(everything, 'stdio', '--else')
  engine.mcp.save({ id: 'every', previousId: 'every', config })
  const deadline = Date.now() + 30_000
  while (!engine.mcp.tools().has('every__echo') && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await judge('every__echo', { message: 'x' }, id)).toMatchObject({ verdict: 'ask', offers: [] })
})

it('a turn in a trusted folder starts its servers, and their tools are for that folder alone', async () => {
  await open({})
  const folder = join(root, 'workspace')
  const { command, args, env } = nodeServer(everything, 'stdio')
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { every: { command, args, env } } }))
  const { project } = await engine.mcp.projects.look(folder)
  await engine.mcp.projects.decide(folder, project.hash, 'trust')
  await engine.close()
  engine = await openEngine(root, { interactive: true })
  const { id } = session('safe')
  expect(engine.mcp.view()).toEqual([])
  await engine.runner.sendAndWait(id, 'hello', {})
  await expect.poll(() => engine.toolset('deckhand', folder).tools.has('every__echo'), { timeout: 30_000 }).toBe(true)
  expect(engine.toolset('deckhand').tools.has('every__echo')).toBe(false)
  const access = await engine
    .toolset('deckhand', folder)
    .tools.get('every__echo')
    ?.access({ message: 'x' }, { workspace: folder } as ToolContext)
  if (!access) throw new Error('There is no every__echo')
  expect((await engine.decide(access, id)).reason).toBe('It wants to use the tool echo of the MCP server every')
})

it('after strangers have spoken, the network asks even where everything is allowed', async () => {
  await open({})
  const { id } = session('all')
  const fetch = { url: 'https://example.com/?q=1' }
  expect(await judge('WebFetch', fetch, id)).toMatchObject({ verdict: 'allow' })
  engine.store.taint.add(id)
  expect(await judge('WebFetch', fetch, id)).toMatchObject({ verdict: 'ask', resources: ['example.com'] })
  expect(await judge('web_fetch', fetch, id, 'clawft')).toMatchObject({ verdict: 'ask' })
})

it('a server of the documented section can be removed for good', async () => {
  await open({}, { mcp_servers: { one: {}, two: {} }, web_search: { endpoint: 'https://s.example' } })
  expect(engine.mcp.view().map(({ id }) => id)).toEqual(['one', 'two'])
  engine.mcp.remove('one')
  const file = JSON.parse(readFileSync(join(root, 'settings.json'), 'utf8'))
  expect(Object.keys(file.mcpServers)).toEqual(['two'])
  expect(file.tools).toEqual({ web_search: { endpoint: 'https://s.example' } })
})

it('keys do not leave with an exported session', async () => {
  await open({})
  const { id } = session('safe')
  const key = 'my-own-key-of-no-known-shape'
  engine.log.hide(key)
  const parts = [{ type: 'text' as const, text: `use ${key} or sk-ant-abcdefghijklmnop0123456789` }]
  engine.store.messages.append({ sessionId: id, role: 'user', parts })
  for (const format of ['markdown', 'json'] as const) {
    const text = engine.exportSession(id, format)
    expect(text).toContain('use [hidden] or [hidden]')
    expect(text).not.toMatch(/my-own-key|sk-ant/)
  }
  expect(JSON.parse(engine.exportSession(id, 'json'))).toMatchObject({ format: 'deckhand-session' })
})
