import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaneMessage } from '../../src-preload/contract/processes'
import type { ExecEvent } from '../gateway/invoke'
import { bundleAgent } from '../gateway/test-agent'
import { type GatewayBench, openBench, sessionId, startNode, type TestNode, until } from '../gateway/test-bench'

let agent: Awaited<ReturnType<typeof bundleAgent>>
let bench: GatewayBench
let folder: string
let nodes: TestNode[]

beforeAll(async () => {
  agent = await bundleAgent()
})
afterAll(() => agent.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-nodes-'))
  bench = openBench()
  nodes = []
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
})

const tokens = new Map<string, string>()
const joined = async (id = 'server', env: Record<string, string> = {}): Promise<TestNode> => {
  const url = await bench.url()
  if (!bench.registry.get(id)) tokens.set(id, bench.gateway.add({ id }).token)
  const node = startNode({ script: agent.script, url, token: tokens.get(id) ?? '', id, folder, env })
  nodes.push(node)
  await until(() => bench.gateway.isConnected(id)).catch((error: Error) => {
    throw new Error(`${error.message}\n${node.output()}`)
  })
  return node
}
const call = (tool: string, args: Record<string, unknown>, nodeId = 'server') =>
  bench.gateway.invoke({ nodeId, tool, args, sessionId })
const ok = async (tool: string, args: Record<string, unknown>, nodeId = 'server'): Promise<Record<string, unknown>> => {
  const outcome = await call(tool, args, nodeId)
  if (!outcome.ok) throw new Error(outcome.error)
  return outcome.result as Record<string, unknown>
}
const background = async (command: string): Promise<string> =>
  String((await ok('Bash', { command, background: true })).sessionId)
const logText = (id: string): string => {
  const path = bench.table.logPath(id)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

describe('the tools of another machine', () => {
  it('do the same as here, in its own workspace', async () => {
    const node = await joined()
    expect(await ok('Write', { path: 'deep/note.txt', content: 'one\ntwo\n' })).toEqual({
      path: join(node.workspace, 'deep/note.txt'),
      bytes: 8,
    })
    expect(await ok('Read', { path: 'deep/note.txt', offset: 1 })).toMatchObject({ content: '2\ttwo', lines: 1 })
    expect(await ok('Edit', { path: 'deep/note.txt', oldString: 'two', newString: '2' })).toMatchObject({
      replacements: 1,
    })
    expect(await ok('Glob', { pattern: '**/*.txt' })).toMatchObject({ count: 1, basePath: node.workspace })
    expect(await ok('Grep', { pattern: 'one' })).toMatchObject({ matches: [{ line: 1, content: 'one' }] })
    expect(await ok('Bash', { command: 'pwd; exit 3' })).toMatchObject({
      status: 'failed',
      exitCode: 3,
      workdir: node.workspace,
    })
    expect(await call('Read', { path: 'missing' })).toMatchObject({ ok: false, kind: 'FileNotFound' })
    expect(await call('Bash', { command: '  ' })).toMatchObject({ ok: false, kind: 'InvalidArgs' })
    await expect(call('Nonsense', {})).rejects.toMatchObject({ code: 404 })
  })

  it('bring images as images', async () => {
    const node = await joined()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    writeFileSync(join(node.workspace, 'dot.png'), png)
    const outcome = await call('Read', { path: 'dot.png' })
    expect(outcome).toMatchObject({
      ok: true,
      content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png', data: png.toString('base64') }],
    })
  })

  it('are told of with system, capabilities, variables by name, programs and log', async () => {
    await joined('server', { MY_OWN_VARIABLE: 'its value' })
    const info = bench.registry.get('server')
    expect(info).toMatchObject({ os: process.platform, role: 'execution', local: false, state: 'connected' })
    expect(info?.capabilities).toEqual([
      'filesystem.edit',
      'filesystem.list',
      'filesystem.read',
      'filesystem.write',
      'shell.exec',
      'text.search',
    ])
    expect(info?.envKeys).toContain('MY_OWN_VARIABLE')
    expect(JSON.stringify(bench.registry.list())).not.toContain('its value')
    expect(await bench.gateway.probe('server', ['sh', 'no-such-program'])).toEqual({
      sh: true,
      'no-such-program': false,
    })
    await expect(bench.gateway.probe('server', ['a;rm -rf /'])).rejects.toMatchObject({ code: 400 })
    expect(bench.registry.get('server')?.bins).toEqual({ sh: true, 'no-such-program': false })
    const log = await bench.gateway.logs('server', { lines: 1 })
    expect(log).toMatchObject({ nodeId: 'server', count: 1 })
    expect(JSON.parse(log.lines[0] ?? '')).toMatchObject({ level: 'info', message: 'Connected' })
    await expect(bench.gateway.logs('server', { lines: 0 })).rejects.toMatchObject({ code: 400 })
    await expect(bench.gateway.logs('nobody')).rejects.toMatchObject({ code: 503 })
  })

  it('belong to each node by itself', async () => {
    const [a, b] = await Promise.all([joined('alpha'), joined('beta')])
    expect(await ok('Bash', { command: 'pwd' }, 'alpha')).toMatchObject({ workdir: a?.workspace })
    expect(await ok('Bash', { command: 'pwd' }, 'beta')).toMatchObject({ workdir: b?.workspace })
    expect(bench.registry.list().map(({ id, primary }) => [id, primary])).toEqual([
      ['here', false],
      ['alpha', true],
      ['beta', false],
    ])
  })

  it('are as the user who started the node, who alone can read its key', async () => {
    const node = await joined()
    expect(statSync(join(node.folder, 'device.pem')).mode & 0o777).toBe(0o600)
    await ok('Bash', { command: 'true' })
    const said = readFileSync(join(node.folder, 'logs/node.log'), 'utf8') + node.output()
    expect(said).not.toContain(tokens.get('server'))
  })
})

describe('a process of another machine', () => {
  it('is a live terminal here, byte by byte', async () => {
    await joined()
    const answer = ok('Bash', {
      command: 'printf "\\033[31mred\\033[0m\\n"; seq 1 200000; exec sh -c "read line; echo got \\$line"',
    })
    const row = await until(() => bench.table.list(sessionId)[0])
    expect(row).toMatchObject({ node: 'server', status: 'running', link: 'up', tty: true })
    await until(() => logText(row.id).includes('\r\n200000\r\n'))
    await bench.table.write(row.id, 'hello\r')
    expect(await answer).toMatchObject({ status: 'completed', exitCode: 0 })
    await until(() => bench.table.get(row.id)?.status === 'exited')
    const expected = `\x1b[31mred\x1b[0m\r\n${Array.from({ length: 200_000 }, (_, n) => `${n + 1}\r\n`).join('')}hello\r\ngot hello\r\n`
    expect(logText(row.id) === expected).toBe(true)
    expect(bench.table.get(row.id)).toMatchObject({ exitCode: 0, bytes: expected.length })
  })

  it('shows in a pane, takes keys and its size from there, and its screen can be read', async () => {
    await joined()
    const processId = await background('while read line; do stty size; echo "<$line>"; done')
    const { port1, port2 } = new MessageChannel()
    const seen: PaneMessage[] = []
    port2.on('message', (message: PaneMessage) => void seen.push(message))
    bench.localNode.attachPane({ id: processId, logPath: bench.table.logPath(processId), exit: null }, port1)
    await until(() => seen.find(({ type }) => type === 'snapshot'))
    port2.postMessage({ type: 'resize', cols: 77, rows: 22 })
    port2.postMessage({ type: 'input', data: 'typed by the user\r' })
    await until(() => logText(processId).includes('22 77\r\n<typed by the user>'))
    await until(() => seen.some((message) => message.type === 'data' && message.data.includes('<typed by the user>')))
    expect((await bench.table.screen(processId)).rows.join('\n')).toContain('<typed by the user>')
    bench.table.kill(processId)
    await until(() => bench.table.get(processId)?.status === 'exited')
    expect(bench.table.get(processId)).toMatchObject({ signal: 'SIGKILL', background: true })
    await until(() => seen.find(({ type }) => type === 'exit'))
    port2.close()
  })

  it('is found by the Process tool there, and its end is told once', async () => {
    await joined()
    const told: ExecEvent[] = []
    bench.gateway.onExecEvent((event) => void told.push(event))
    const started = await ok('Bash', { command: 'echo begun; read x; exit 4', background: true })
    expect(await ok('Process', { action: 'list' })).toMatchObject({
      sessions: [{ sessionId: started.sessionId, status: 'running' }],
    })
    await ok('Process', { action: 'submit', sessionId: started.sessionId, data: 'go' })
    await until(() => told.length === 2)
    expect(told).toMatchObject([
      { event: 'started', nodeId: 'server', sessionId: started.sessionId },
      { event: 'failed', exitCode: 4, outputTail: expect.stringContaining('begun') },
    ])
    await ok('Bash', { command: 'true' })
    expect(told).toHaveLength(2)
  })

  it('can be a terminal of the user’s own', async () => {
    await joined()
    const id = await bench.nodes.openTerminal('server', sessionId)
    expect(bench.table.get(id)).toMatchObject({ node: 'server', byUser: true, title: 'Terminal' })
    bench.table.kill(id)
    await until(() => bench.table.get(id)?.status === 'exited')
  })

  it('locks the agent out of a password prompt, and the user in', async () => {
    await joined()
    const processId = await background(
      'stty -echo; printf "Password: "; read -r secret; stty echo; echo; echo read it; read x',
    )
    await until(() => bench.table.get(processId)?.secretInput)
    await until(() => bench.table.get(processId)?.prompt)
    expect(bench.table.waiting()).toMatchObject([{ id: processId, prompt: { text: 'Password:', guess: false } }])
    await expect(bench.table.write(processId, 'guess\r')).rejects.toMatchObject({ kind: 'secret-input' })
    bench.table.kill(processId)
    await until(() => bench.table.get(processId)?.status === 'exited')
  })
})

describe('when the cable is pulled', () => {
  it('fails what waits, keeps what runs, and misses nothing afterwards', async () => {
    await joined()
    const told: ExecEvent[] = []
    bench.gateway.onExecEvent((event) => void told.push(event))
    const waiting = call('Bash', { command: 'for i in $(seq 1 40); do echo line $i; sleep 0.05; done' }).catch(
      (error: Error) => error,
    )
    const row = await until(() => bench.table.list(sessionId)[0])
    await until(() => logText(row.id).includes('line 3'))
    bench.gateway.disconnect('server')
    expect(await waiting).toMatchObject({ code: 503 })
    expect(bench.table.get(row.id)).toMatchObject({ status: 'running', link: 'down' })
    expect(() => bench.table.kill(row.id)).toThrow('not connected')
    await until(() => bench.table.get(row.id)?.link === 'up')
    await until(() => bench.table.get(row.id)?.status === 'exited')
    expect(logText(row.id)).toBe(Array.from({ length: 40 }, (_, n) => `line ${n + 1}\r\n`).join(''))
    expect(bench.table.get(row.id)).toMatchObject({ exitCode: 0, background: true })
    await until(() => told.some(({ event }) => event === 'finished'))
    expect(await ok('Process', { action: 'log', sessionId: row.id })).toMatchObject({ totalLines: 40 })
  })

  it('finds everything again when it is the gateway that was away', async () => {
    await joined()
    const port = new URL(await bench.url()).port
    const processId = await background('for i in $(seq 1 30); do echo line $i; sleep 0.05; done; read x')
    await until(() => logText(processId).includes('line 2'))
    await bench.close(true)
    const { folder: kept } = bench
    bench = openBench({ folder: kept })
    expect(bench.table.get(processId)).toMatchObject({ status: 'running', link: 'down', node: 'server' })
    expect(new URL(await bench.url()).port).toBe(port)
    await until(() => bench.table.get(processId)?.link === 'up')
    await until(() => logText(processId).includes('line 30'))
    expect(logText(processId)).toBe(Array.from({ length: 30 }, (_, n) => `line ${n + 1}\r\n`).join(''))
    await bench.table.write(processId, '\r')
    await until(() => bench.table.get(processId)?.status === 'exited')
    expect(bench.table.get(processId)?.exitCode).toBe(0)
  })

  it('says what is lost when the node itself is gone', async () => {
    const node = await joined()
    const processId = await background('sleep 60')
    await node.stop('SIGKILL')
    await until(() => bench.table.get(processId)?.link === 'down')
    await joined()
    await until(() => bench.table.get(processId)?.status === 'lost')
  })
})

it('ends with a word when the token is wrong', async () => {
  const url = await bench.url()
  bench.gateway.add({ id: 'server' })
  const node = startNode({ script: agent.script, url, token: 'wrong-token-wrong-token', id: 'server', folder })
  const code = await new Promise((resolve) => node.child.on('exit', resolve))
  expect(code).toBe(1)
  expect(node.output()).toContain('does not let this node in')
})
