import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isProcessAlive } from '../process-alive'
import { describeServer, fillIn } from './project-file'
import { type McpBench, nodeServer, openMcpBench, tinyServer, until } from './test-bench'

let root = ''
let bench: McpBench
let project = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-project-'))
  project = join(root, 'project')
  mkdirSync(project)
  mkdirSync(join(root, 'data'))
  bench = openMcpBench({ folder: join(root, 'data') })
})
afterEach(async () => {
  await bench.close()
  rmSync(root, { recursive: true, force: true })
})

const schema = { type: 'object', properties: {} }
const write = (servers: object, folder = project): void =>
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
/** A server that leaves a mark when it is started. */
const marking = (folder = project) => {
  const script = tinyServer(folder, [{ name: 'note', description: 'Notes', inputSchema: schema }])
  const { command, args, env } = nodeServer(script)
  return { command, args, env }
}
const names = (folder?: string): string[] => [...bench.mcp.tools(folder).keys()]
const look = async (folder = project) => {
  const { project: found, started } = await bench.mcp.projects.look(folder)
  await started
  return found
}
const trust = async (folder = project): Promise<void> => {
  await bench.mcp.projects.decide(folder, (await look(folder)).hash, 'trust')
  await until(() => bench.mcp.view().some((server) => server.project === folder && server.state === 'ready'))
}

it('opening a folder starts nothing, and shows word for word what would run', async () => {
  write({
    evil: {
      command: 'touch',
      args: [join(project, 'started'), `\${HOME}/x`],
      env: { NODE_OPTIONS: '--require ./x', API_TOKEN: `\${MY_TOKEN}` },
    },
    web: {
      type: 'http',
      url: `https://mcp.example/\${TENANT:-main}`,
      headers: { Authorization: `Bearer \${MY_TOKEN}` },
    },
  })
  expect(await look()).toEqual({
    folder: project,
    state: 'asks',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    changed: false,
    servers: [
      {
        name: 'evil',
        argv: ['touch', join(project, 'started'), `\${HOME}/x`],
        cwd: project,
        env: ['NODE_OPTIONS=--require ./x', 'API_TOKEN'],
        headers: [],
        reads: ['HOME', 'MY_TOKEN'],
      },
      {
        name: 'web',
        url: `https://mcp.example/\${TENANT:-main}`,
        env: [],
        headers: ['Authorization'],
        reads: ['TENANT', 'MY_TOKEN'],
      },
    ],
    warnings: [],
  })
  await bench.mcp.start()
  expect(bench.mcp.view()).toEqual([])
  expect(existsSync(join(project, 'started'))).toBe(false)
})

it('what is trusted runs in its folder, and its tools are for sessions of that folder only', async () => {
  write({ notes: marking() })
  await trust()
  expect(names(project)).toEqual(['notes__note'])
  expect(names()).toEqual([])
  expect(names(root)).toEqual([])
  expect(bench.mcp.view()).toMatchObject([{ name: 'notes', project, id: expect.stringMatching(/^notes@[0-9a-f]{8}$/) }])
  expect(bench.mcp.projects.serves(project)).toBe(true)
  // It is not one of the user's servers: it is not in the settings, and cannot be changed here.
  const [{ id = '' } = {}] = bench.mcp.view()
  expect(bench.saved()).toEqual({})
  expect(() => bench.mcp.remove(id)).toThrow('belongs to a project')
})

it('asks again when the file changes, and ends what was running', async () => {
  const server = marking()
  write({ notes: server })
  await trust()
  const { pid = 0 } = bench.mcp.view()[0] ?? {}
  write({ notes: { ...server, args: [...(server.args ?? []), '--more'] } })
  expect(await look()).toMatchObject({ state: 'asks', changed: true })
  expect(names(project)).toEqual([])
  await until(() => !isProcessAlive(pid))
  expect(bench.events.filter(({ type }) => type === 'mcp-projects').at(-1)).toMatchObject({
    projects: [{ folder: project, state: 'asks', changed: true }],
  })
  // The original content is still trusted.
  write({ notes: server })
  expect(await look()).toMatchObject({ state: 'trusted' })
  await until(() => names(project).length === 1)
})

it('takes no agreement to something that is not there any more', async () => {
  write({ notes: marking() })
  const { hash } = await look()
  write({ notes: { command: 'touch', args: [join(project, 'started')] } })
  await expect(bench.mcp.projects.decide(project, hash, 'trust')).rejects.toThrow('has changed')
  expect(bench.mcp.view()).toEqual([])
  expect(existsSync(join(project, 'started'))).toBe(false)
})

it('not now is for this run, never is for good, and both can be taken back', async () => {
  write({ notes: marking() })
  const { hash } = await look()
  expect(await bench.mcp.projects.decide(project, hash, 'later')).toMatchObject({ state: 'later' })
  await bench.close()
  bench = openMcpBench({ folder: join(root, 'data') })
  expect(await look()).toMatchObject({ state: 'asks' })
  await bench.mcp.projects.decide(project, hash, 'never')
  write({ other: marking() })
  expect(await look()).toMatchObject({ state: 'never' })
  expect(await bench.mcp.projects.list()).toMatchObject([{ folder: project, state: 'never' }])
  expect(await bench.mcp.projects.decide(project, hash, 'ask')).toMatchObject({ state: 'asks' })
})

it('trust outlives the app, and withdrawing it ends the server and what its tools were allowed', async () => {
  write({ notes: marking() })
  await trust()
  await bench.close()
  bench = openMcpBench({ folder: join(root, 'data') })
  expect(await bench.mcp.projects.list()).toMatchObject([{ folder: project, state: 'trusted' }])
  expect(bench.mcp.view()).toEqual([])
  await look()
  const [{ id = '', pid = 0 } = {}] = bench.mcp.view()
  bench.mcp.setPolicy(id, 'note', 'allow')
  expect([...bench.permitted]).toEqual([expect.stringMatching(/^mcp:notes@[0-9a-f]{8}:note#/)])
  await bench.mcp.projects.decide(project, '', 'ask')
  await until(() => !isProcessAlive(pid))
  expect([...bench.permitted]).toEqual([])
  expect(bench.mcp.view()).toEqual([])
})

it('keeps the servers of two folders and of the user apart', async () => {
  const other = join(root, 'other')
  mkdirSync(other)
  write({ notes: marking() })
  write({ notes: marking(other) }, other)
  await trust()
  await trust(other)
  expect(new Set(bench.mcp.view().map(({ id }) => id)).size).toBe(2)
  bench.mcp.save({ id: 'notes', config: { command: 'true', enabled: false } })
  expect(names(project)).toEqual([])
  expect(bench.mcp.view()[0]?.warnings).toEqual(['You have a server notes of your own, so this one is not used.'])
})

it('starts nothing by itself where the run is a cautious one', async () => {
  write({ notes: marking() })
  await trust()
  await bench.close()
  bench = openMcpBench({ folder: join(root, 'data'), startProjects: false })
  expect(await look()).toMatchObject({ state: 'trusted' })
  expect(bench.mcp.view()).toEqual([])
})

it('reads no pipe, no device, no endless file, and nothing that makes no sense', async () => {
  const path = join(project, '.mcp.json')
  expect(await look()).toMatchObject({ state: 'none', warnings: [] })
  execFileSync('mkfifo', [path])
  expect(await look()).toMatchObject({ state: 'none' })
  rmSync(path)
  symlinkSync('/dev/zero', path)
  expect(await look()).toMatchObject({ state: 'none' })
  rmSync(path)
  writeFileSync(path, ' '.repeat(300_000))
  expect(await look()).toMatchObject({ state: 'none' })
  writeFileSync(path, '[not json')
  expect(await look()).toMatchObject({ state: 'none', warnings: [expect.stringContaining('not JSON')] })
  write({ a__b: { command: 'true' }, gsv: { command: 'true' }, none: {}, odd: { command: 7 } })
  const { state, warnings } = await look()
  expect([state, warnings.length]).toEqual(['none', 4])
})

it('fills in variables of the user only when it is started, and tells which are missing', () => {
  const config = { command: 'x', args: [`\${A_KEY}`, `\${B:-b}`, '$C', `\${D}`], env: { E: `\${F}` }, enabled: true }
  expect(fillIn(config, { A_KEY: 'secret', F: 'f' })).toEqual({
    config: { ...config, args: ['secret', 'b', '$C', ''], env: { E: 'f' } },
    secrets: ['secret'],
    missing: ['D'],
  })
  expect(JSON.stringify(describeServer('x', config))).not.toContain('secret')
})
