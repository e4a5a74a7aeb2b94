import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NodeProcess, startNode, untilNode } from '../../conformance/node-process'
import { type ModelRequest, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import type { Engine } from '../engine'
import { type Bundle, bundleAgent } from '../gateway/test-agent'
import { nodeServer, tinyServer, until } from '../mcp/test-bench'
import { openEngine } from './test-engine'

/**
 * A session of 100 turns while two nodes, which are processes of their own, come and go and an MCP server changes its list.
 * The scripted server keeps what it was sent, and counts how much of each request is the same as in the one before.
 */

const turns = 100
let root: string
let engine: Engine
let model: ScriptedModel
let agent: Bundle
const nodes = new Map<string, NodeProcess>()
const tokens = new Map<string, { token: string; url: string }>()

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-prefix-'))
  for (const folder of ['data', 'server', 'workspace']) mkdirSync(join(root, folder))
  const command = nodeServer(tinyServer(join(root, 'server'), listOf('first')))
  writeFileSync(join(root, 'data/settings.json'), JSON.stringify({ mcpServers: { tiny: command } }))
  model = await scriptedModel([], { otherwise: () => says(`An answer of some length. ${'It goes on. '.repeat(20)}`) })
  engine = await openEngine(join(root, 'data'))
  await engine.mcp.start()
  agent = await bundleAgent()
  await engine.providers.save({ name: 'OpenAI', kind: 'openai', baseUrl: model.baseUrl })
  await engine.providers.save({ name: 'Anthropic', kind: 'anthropic', baseUrl: model.baseUrl })
})
afterAll(async () => {
  await Promise.all([...nodes.values()].map((node) => node.end()))
  await engine.close()
  await model.close()
  agent.remove()
  rmSync(root, { recursive: true, force: true })
})

const listOf = (...names: string[]) =>
  names.map((name) => ({
    name,
    description: `The tool ${name} of a server. ${'It does one thing well. '.repeat(10)}`,
    inputSchema: { type: 'object', properties: { text: { type: 'string', description: 'What it is about.' } } },
  }))

/** The server has other tools from now on, and says so. */
const serve = async (...names: string[]): Promise<void> => {
  writeFileSync(join(root, 'server/tools.json'), JSON.stringify(listOf(...names)))
  process.kill(engine.mcp.view()[0]?.pid ?? 0, 'SIGUSR1')
  const wanted = names.map((name) => `tiny__${name}`).join()
  await until(() => [...engine.mcp.tools().keys()].join() === wanted)
}

const state = (id: string) => engine.nodes.registry.get(id)?.state
const come = async (id: string): Promise<void> => {
  const invited = tokens.get(id) ?? (await engine.nodes.add({ id, role: 'execution' }))
  tokens.set(id, invited)
  const folders = { workspace: join(root, `${id}-workspace`), data: join(root, `${id}-data`) }
  mkdirSync(folders.workspace, { recursive: true })
  const node = startNode(agent.script, { gateway: invited.url, token: invited.token, id, ...folders })
  nodes.set(id, node)
  await untilNode(node, () => state(id) === 'connected')
}
const go = async (id: string): Promise<void> => {
  await nodes.get(id)?.end()
  await until(() => state(id) !== 'connected')
}

/** What happens before a turn. */
const events = new Map<number, () => Promise<void>>([
  [5, () => come('barge')],
  [10, () => come('tug')],
  [15, () => serve('first', 'second')],
  [25, () => go('barge')],
  [30, () => serve('second')],
  [35, () => come('barge')],
  [45, () => go('tug')],
  [50, () => serve('first', 'second')],
  [55, () => go('barge')],
  [65, () => come('tug')],
  [70, () => serve('first')],
  [75, () => come('barge')],
  [85, () => go('tug')],
  [90, () => serve('first', 'second')],
  [95, () => come('tug')],
])

const isMarkless = (text: string): string => text.replaceAll(',"cache_control":{"type":"ephemeral"}', '')

/** The share of bytes that a request has in common with the one before, from its beginning, over a whole session. */
const sharedBytes = (requests: ModelRequest[]): { ofThis: number; ofBefore: number; breaks: number } => {
  // Marks say what to keep and are no part of what is kept.
  const bodies = requests.map(({ bytes }) => Buffer.from(isMarkless(bytes.toString())))
  const sum = { shared: 0, now: 0, before: 0, breaks: 0 }
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index] as Buffer
    let same = 0
    while (same < before.length && before[same] === body[same]) same++
    sum.shared += same
    sum.now += body.length
    sum.before += before.length
    if (same < before.length * 0.9) sum.breaks++
  }
  return { ofThis: sum.shared / sum.now, ofBefore: sum.shared / sum.before, breaks: sum.breaks }
}

test('requests begin as the ones before, while nodes and servers come and go', { timeout: 240_000 }, async () => {
  const talks = [
    ['deckhand', 'openai/scripted'],
    ['gsv', 'openai/scripted'],
    ['deckhand', 'anthropic/scripted'],
  ].map(([toolset = '', name = '']) => {
    const workspace = join(root, 'workspace')
    const session = engine.createSession({ workspace, toolset, mode: 'all', model: name })
    return { label: `${toolset} with ${name}`, sessionId: session.id, requests: [] as ModelRequest[] }
  })
  for (let turn = 0; turn < turns; turn++) {
    await events.get(turn)?.()
    for (const { sessionId, requests } of talks) {
      const end = await engine.runner.sendAndWait(
        sessionId,
        `Turn ${turn}: what do you see now? ${'Look. '.repeat(20)}`,
      )
      expect(end.reason).toBe('done')
      requests.push(...model.requests.splice(0))
    }
  }
  const shares = talks.map(({ label, requests }) => ({ label, ...sharedBytes(requests) }))
  for (const { label, ofThis, ofBefore } of shares) {
    expect(ofThis, label).toBeGreaterThan(0.95)
    expect(ofBefore, label).toBeGreaterThan(0.95)
  }
  for (const { requests } of talks) {
    const last = requests.at(-1)?.bytes.toString() ?? ''
    // What has changed is told in the conversation.
    for (const words of ['Node tug (linux) is connected.', 'Node barge is not connected any more.'])
      expect(last).toContain(words)
    expect(last).toContain('tiny__second')
  }
  // Its tools are still described, so a call of one says why it cannot be made.
  await go('barge')
  const signal = new AbortController().signal
  const { content } = await engine.runner.call(talks[1]?.sessionId ?? '', 'barge__Bash', '{"command":"ls"}', { signal })
  expect(JSON.stringify(content)).toContain('Node barge is not connected.')
})
