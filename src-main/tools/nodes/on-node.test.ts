import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { bundleAgent } from '../../gateway/test-agent'
import { type GatewayBench, openBench, sessionId, startNode, type TestNode, until } from '../../gateway/test-bench'
import { createDeckhandToolset } from '../../toolsets/deckhand/deckhand'
import { withoutServices } from '../../toolsets/deps'
import { testContext } from '../test-context'
import type { ToolContext, Toolset } from '../tool'

let agent: Awaited<ReturnType<typeof bundleAgent>>
let bench: GatewayBench
let node: TestNode
let toolset: Toolset
let folder: string

beforeAll(async () => {
  agent = await bundleAgent()
})
afterAll(() => agent.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-on-node-'))
  bench = openBench()
  const { table, registry, gateway } = bench
  toolset = createDeckhandToolset(withoutServices({ table, setTodo: () => {}, registry, gateway }))
})
afterEach(async () => {
  await node?.stop('SIGKILL')
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
})

const joined = async () => {
  const url = await bench.url()
  node = startNode({
    script: agent.script,
    url,
    token: bench.gateway.add({ id: 'server' }).token,
    id: 'server',
    folder,
  })
  await until(() => bench.gateway.isConnected('server'))
}
const tool = (name: string) => {
  const found = toolset.tools.get(name)
  if (!found) throw new Error(`no ${name}`)
  return found
}
const context = (): ToolContext => testContext(bench.folder, sessionId)
const run = async (name: string, args: object) => {
  const parsed = tool(name).parse(args)
  const { content } = await tool(name).run(parsed, context())
  const [first] = content
  return JSON.parse(first?.type === 'text' ? first.text : '')
}

it('costs nothing without another machine, and one word for each with one', async () => {
  const before = JSON.stringify(tool('Bash').schema)
  expect(before).not.toContain('"node"')
  await joined()
  expect(tool('Bash').schema.properties).toMatchObject({ node: { type: 'string' } })
  expect(JSON.stringify(tool('Bash').schema).length - before.length).toBeLessThan(60)
  expect(JSON.stringify(tool('Todo').schema)).not.toContain('"node"')
  // Otherwise the prompt would be rebuilt for every request.
  expect(tool('Bash').schema).toBe(tool('Bash').schema)
})

it('runs here without a node and with the name of this one, there with that one’s', async () => {
  await joined()
  expect(await run('Bash', { command: 'pwd' })).toMatchObject({ workdir: bench.folder })
  expect(await run('Bash', { command: 'pwd', node: 'here' })).toMatchObject({ workdir: bench.folder })
  expect(await run('Bash', { command: 'pwd', node: 'server' })).toMatchObject({
    workdir: node.workspace,
    output: `${node.workspace}\n`,
  })
  expect(await run('Write', { path: 'a.txt', content: 'x', node: 'server' })).toMatchObject({
    path: join(node.workspace, 'a.txt'),
  })
  expect(() => tool('Read').parse({ path: 'a.txt', node: 'nobody' })).toThrow('Connected: here, server')
  await expect(run('Read', { path: 'missing', node: 'server' })).rejects.toMatchObject({ kind: 'FileNotFound' })
})

it('lists, patches and deletes there as it does here', async () => {
  await joined()
  for (const name of ['List', 'ApplyPatch', 'Delete'])
    expect(tool(name).schema.properties).toMatchObject({ node: { type: 'string' } })
  const patch = '*** Begin Patch\n*** Add File: notes/a.txt\n+one\n*** End Patch'
  const asked = tool('ApplyPatch').parse({ patch, node: 'server' })
  expect(await tool('ApplyPatch').access(asked, context())).toMatchObject({
    node: 'server',
    paths: [{ path: join(node.workspace, 'notes/a.txt'), access: 'write' }],
  })
  expect(await run('ApplyPatch', { patch, node: 'server' })).toMatchObject({
    files: [{ path: 'notes/a.txt', kind: 'add', added: 1 }],
  })
  expect(existsSync(join(bench.folder, 'notes'))).toBe(false)
  expect(await run('List', { path: 'notes', node: 'server' })).toMatchObject({
    path: join(node.workspace, 'notes'),
    entries: [{ name: 'a.txt', type: 'file' }],
  })
  await expect(run('Delete', { path: 'notes', node: 'server' })).rejects.toMatchObject({ kind: 'InvalidPath' })
  expect(await run('Delete', { path: 'notes', recursive: true, node: 'server' })).toMatchObject({ deleted: true })
  expect(await run('List', { node: 'server' })).toMatchObject({ count: 0 })
})

it('shows beforehand what would change there, and changes nothing', async () => {
  await joined()
  writeFileSync(join(node.workspace, 'a.txt'), 'one\ntwo\n')
  const preview = (name: string, args: object) =>
    tool(name).preview?.(tool(name).parse({ ...args, node: 'server' }), context())
  const changed = { path: 'a.txt', kind: 'update', added: 1, removed: 1 }
  expect(await preview('Edit', { path: 'a.txt', oldString: 'two', newString: 'three' })).toMatchObject([changed])
  const patch = '*** Begin Patch\n*** Update File: a.txt\n-two\n+three\n*** End Patch'
  expect(await preview('ApplyPatch', { patch })).toMatchObject([changed])
  expect(await preview('Delete', { path: 'a.txt' })).toMatchObject([{ path: 'a.txt', kind: 'delete', removed: 2 }])
  await expect(preview('Edit', { path: 'none.txt', oldString: 'x', newString: 'y' })).rejects.toMatchObject({
    kind: 'FileNotFound',
  })
  expect(readFileSync(join(node.workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
})

it('tells the gate which machine it is about', async () => {
  await joined()
  const input = tool('Write').parse({ path: 'a.txt', content: 'x', node: 'server' })
  expect(await tool('Write').access(input, context())).toMatchObject({
    node: 'server',
    workspace: node.workspace,
    paths: [{ path: join(node.workspace, 'a.txt'), access: 'write' }],
  })
  expect(tool('Bash').gist(tool('Bash').parse({ command: 'ls', node: 'server' }))).toBe('server: ls')
  const edited = tool('Bash').withCommand?.(tool('Bash').parse({ command: 'ls', node: 'server' }), 'pwd')
  expect(await tool('Bash').access(edited, context())).toMatchObject({ node: 'server', command: 'pwd' })
})

it('finds a background process of the other machine from here as well', async () => {
  await joined()
  const { sessionId: id } = await run('Bash', {
    command: 'read line; echo "got $line"; read x',
    background: true,
    node: 'server',
  })
  await run('Process', { action: 'submit', sessionId: id, data: 'it' })
  await until(async () => (await run('Process', { action: 'poll', sessionId: id })).tail.includes('got it'))
  await run('Process', { action: 'kill', sessionId: id })
  await until(() => bench.table.get(id)?.status === 'exited')
})

it('knows each background process of the other machine as soon as the call has its result', async () => {
  await joined()
  for (let count = 0; count < 30; count++) {
    const { sessionId: id } = await run('Bash', { command: 'sleep 60', background: true, node: 'server' })
    expect(bench.table.get(id)).toMatchObject({ node: 'server', status: 'running' })
  }
})
