import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine } from '../compose'
import type { Engine } from '../engine'
import { openSignInServer, type SignInServer } from '../mcp/test-sign-in-server'
import { openInProcessHost } from '../nodes/host-link'
import { memorySecrets } from '../settings/secrets'
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
  engine = await createEngine({
    dataDir: root,
    openHost: openInProcessHost,
    secrets: memorySecrets(),
    interactive: false,
  })
})
afterEach(async () => {
  await engine.close()
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

it('tells what was left out where nobody reads along', async () => {
  const folder = join(root, 'workspace')
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { notes: { command: 'true' } } }))
  await startServers(engine, folder, { attended: false, say })
  expect(said).toEqual([
    'The MCP server guarded wants you to sign in, so it is left out',
    'The .mcp.json of this folder is not trusted, so its MCP servers were not started: notes',
  ])
  expect(server.deeds).toEqual([])
})

it('shows the address of a sign-in on a terminal, and has the tools once it was followed', async () => {
  await startServers(engine, join(root, 'workspace'), { attended: true, say })
  await expect.poll(() => said.length, { timeout: 20_000 }).toBe(1)
  const [, address = ''] = /sign in at\n {2}(\S+)$/.exec(said[0] ?? '') ?? []
  expect((await fetch(address)).ok).toBe(true)
  await expect.poll(() => [...engine.mcp.tools().keys()], { timeout: 20_000 }).toEqual(['guarded__secret'])
})
