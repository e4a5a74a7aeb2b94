import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { calls, says, scriptedModel } from '../../e2e/scripted-model'
import { type Bundle, bundle, bundleAgent } from '../gateway/test-agent'
import { startNode, type TestNode, until } from '../gateway/test-bench'

let agent: Bundle
let program: Bundle
let root: string
let node: TestNode | null = null
const running: ChildProcess[] = []
const folder = (name: string) => join(root, name)

beforeAll(async () => {
  agent = await bundleAgent()
  program = await bundle('src-main/cli.ts')
}, 180_000)
afterAll(() => {
  agent.remove()
  program.remove()
})
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-node-option-'))
  for (const name of ['home', 'data', 'workspace']) mkdirSync(folder(name))
})
afterEach(async () => {
  await node?.stop('SIGKILL')
  node = null
  for (const child of running.splice(0)) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})

/** A command of ours as a process of its own. */
function deckhand(args: string[], input?: string) {
  const child = spawn(process.execPath, [program.script, ...args, '--data', folder('data')], {
    cwd: folder('workspace'),
    env: { ...process.env, HOME: folder('home'), ELECTRON_RUN_AS_NODE: '1', SHELL: '/bin/sh' },
  })
  running.push(child)
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  if (input !== undefined) child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, ended, stdout: () => stdout, stderr: () => stderr }
}
const callLines = (...calls: [string, object][]) =>
  calls.map(([tool, args], id) => `${JSON.stringify({ id, tool, args })}\n`).join('')
const answersOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { id, error, content } = JSON.parse(line)
      return { id, error, result: JSON.parse(content[0].text) }
    })

/** A gateway without a window, and a node that came by its invitation. */
async function withNode() {
  const gateway = deckhand(['gateway', '--add', 'box'])
  const [, url = '', token = ''] = await until(() =>
    /--gateway (\S+).*?--token (\S+)/s.exec(gateway.stdout().replaceAll("'", '')),
  )
  node = startNode({ script: agent.script, url, token, id: 'box', folder: root })
  await until(() => gateway.stdout().includes('Node box connected'))
  return gateway
}

test('call uses the nodes of a headless gateway, by --node and by name', async () => {
  await withNode()
  const there = node?.workspace ?? ''
  writeFileSync(join(there, 'note.txt'), 'over there\n')
  // The owner's alone.
  expect(statSync(join(folder('data'), 'gateway')).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder('data'), 'gateway', 'socket')).mode & 0o777).toBe(0o600)

  const lines = callLines(['Bash', { command: 'pwd; exit 3' }], ['Read', { path: 'note.txt' }])
  const chosen = deckhand(['call', '--approve', 'all', '--node', 'box'], lines)
  expect(await chosen.ended, chosen.stderr()).toBe(0)
  expect(answersOf(chosen.stdout())).toMatchObject([
    { id: 0, error: null, result: { exitCode: 3, output: `${there}\n` } },
    { id: 1, error: null, result: { content: '1\tover there' } },
  ])

  const named = deckhand(['call', '--approve', 'all'], callLines(['Bash', { node: 'box', command: 'pwd' }]))
  expect(await named.ended, named.stderr()).toBe(0)
  expect(answersOf(named.stdout())).toMatchObject([{ error: null, result: { output: `${there}\n` } }])
}, 120_000)

test('run works on the node too', async () => {
  await withNode()
  const model = await scriptedModel()
  try {
    model.push(calls('Bash', { command: 'pwd' }), says('done'))
    const where = ['--provider', 'openai', '--base-url', model.baseUrl, '--model', 'scripted', '--approve', 'all']
    const done = deckhand(['run', ...where, '--node', 'box', 'Where are you?'], '')
    expect(await done.ended, done.stderr()).toBe(0)
    expect(JSON.parse(model.requests.at(-1)?.body.messages.at(-1).content)).toMatchObject({
      output: `${node?.workspace}\n`,
    })
  } finally {
    await model.close()
  }
}, 120_000)

test('without any gateway, call serves the node itself until it is done', async () => {
  const gateway = await withNode()
  gateway.child.kill('SIGTERM')
  await gateway.ended
  expect(existsSync(join(folder('data'), 'gateway', 'socket'))).toBe(false)
  const chosen = deckhand(['call', '--approve', 'all', '--node', 'box'], callLines(['Bash', { command: 'pwd' }]))
  expect(await chosen.ended, chosen.stderr()).toBe(0)
  expect(answersOf(chosen.stdout())).toMatchObject([{ error: null, result: { output: `${node?.workspace}\n` } }])
  expect(chosen.stderr()).toContain('waiting for node box')
}, 120_000)

test('a gateway that ends under a call is an ordinary failure, and later calls are answered', async () => {
  const gateway = await withNode()
  const begun = join(node?.workspace ?? '', 'begun')
  const chosen = deckhand(
    ['call', '--approve', 'all', '--node', 'box'],
    callLines(['Bash', { command: 'touch begun; sleep 100' }], ['Bash', { command: 'true' }]),
  )
  await until(() => existsSync(begun))
  gateway.child.kill('SIGKILL')
  expect(await chosen.ended, chosen.stderr()).toBe(0)
  const lines = chosen
    .stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { id: 0, isError: true, error: { message: expect.stringContaining('may still be running') } },
    { id: 1, isError: true },
  ])
}, 120_000)

test('a node that nobody added is bad usage', async () => {
  const chosen = deckhand(['call', '--node', 'nobody'], '')
  expect(await chosen.ended).toBe(2)
  expect(chosen.stderr()).toContain('--node: no node named nobody. None added yet')
}, 60_000)
