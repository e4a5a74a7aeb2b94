import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEngine } from '../compose/test-engine'
import type { Engine } from '../engine'
import { openSignInServer, type SignInServer } from '../mcp/test-sign-in-server'
import { startServers } from './mcp-servers'

let root = ''
let engine: Engine
let server: SignInServer
const said: string[] = []
const say = (line: string): void => void said.push(line)
beforeEach(async () => {
  said.length = 0
  root = mkdtempSync(join(tmpdir(), 'deckhand-headless-'))
  mkdirSync(join(root, 'workspace'))
  server = await openSignInServer()
  writeFileSync(join(root, 'settings.json'), JSON.stringify({ mcpServers: { guarded: { url: server.url } } }))
  engine = await openEngine(root)
})
afterEach(async () => {
  await engine.close()
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

it('tells what was left out where nobody reads along', async () => {
  const folder = join(root, 'workspace')
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { notes: { command: 'true' } } }))
  await startServers(engine, folder, 20_000, { attended: false, say })
  expect(said).toEqual([
    'The MCP server guarded needs you to sign in, so it was skipped',
    'The .mcp.json in this folder is not trusted, so its MCP servers were not started: notes. To trust it, run: deckhand mcp trust',
  ])
  expect(server.requests).toEqual([])
})

it('shows the address of a sign-in on a terminal, and has the tools once it was followed', async () => {
  await startServers(engine, join(root, 'workspace'), 20_000, { attended: true, say })
  await expect.poll(() => said.length, { timeout: 20_000 }).toBe(1)
  const [, address = ''] = /sign in at\n {2}(\S+)$/.exec(said[0] ?? '') ?? []
  expect((await fetch(address)).ok).toBe(true)
  await expect.poll(() => [...engine.mcp.tools().keys()], { timeout: 20_000 }).toEqual(['guarded__secret'])
})

it('says of a server that cannot start why, and does not wait for one that hangs', async () => {
  const broken = "console.error('Error: No key is set'); console.error('    at main (x.js:1:1)'); process.exit(2)"
  const node = (script: string) => ({
    command: process.execPath,
    args: ['-e', script],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    enabled: true,
  })
  engine.mcp.save({ id: 'broken', config: node(broken) })
  engine.mcp.save({ id: 'hangs', config: node('setInterval(() => {}, 1000)') })
  const folder = join(root, 'workspace')
  await startServers(engine, folder, 0, { attended: false, say })
  await expect
    .poll(() => said.join('\n'), { timeout: 20_000 })
    .toMatch(/The MCP server broken cannot be used\. .*It said: Error: No key is set/)
  await startServers(engine, folder, 10, { attended: false, say })
  expect(said).toContain('The MCP server hangs has not answered yet. Its tools become available when it does.')

  const { id } = engine.createSession({ workspace: folder, mode: 'all' })
  const signal = new AbortController().signal
  const call = (name: string, args: object) => engine.runner.call(id, name, JSON.stringify(args), { signal })
  // What needs no server does not wait for one.
  expect(await call('Bash', { command: 'echo hi' })).toMatchObject({ isError: false })
  const { error } = await call('broken__tool', {})
  expect(error).toMatchObject({ kind: 'NotFound', message: expect.stringContaining('It said: Error: No key is set') })
  const controller = new AbortController()
  const late = engine.runner.call(id, 'hangs__tool', '{}', { signal: controller.signal })
  controller.abort(new DOMException('Stopped', 'AbortError'))
  await expect(late).rejects.toThrow('Stopped')
})
