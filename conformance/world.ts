import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createEngine } from '../src-main/compose'
import type { Engine, EngineOptions } from '../src-main/engine'
import { bundleAgent } from '../src-main/gateway/test-agent'
import { openInProcessHost } from '../src-main/nodes/host-link'
import { memorySecrets } from '../src-main/settings/secrets'
import type { CallOutcome } from '../src-main/tools/call-outcome'
import { dispatch } from '../src-main/tools/dispatch'
import type { CallGate } from '../src-main/tools/permission'
import { definitionsOf, type ToolDefinition } from '../src-main/tools/tool'
import type { Session } from '../src-preload/contract/sessions'
import type { Json } from './harness'
import { type NodeProcess, startNode, untilNode } from './node-process'

/** The whole engine on real files, with a session whose calls are all let through. */
export interface World {
  root: string
  dataDir: string
  workspace: string
  engine: Engine
  /** Speaks the vocabulary `gsv`, and belongs to the agent `main`. */
  session: Session
  definitions(): ToolDefinition[]
  call(tool: string, args: unknown, sessionId?: string): Promise<CallOutcome>
  /** The whole object that a call answers with. */
  answer(tool: string, args: unknown, sessionId?: string): Promise<Json>
  /** The `result` of a native tool that works. */
  result(tool: string, args?: unknown, sessionId?: string): Promise<Json>
  /** The `error` of a native tool that fails. */
  error(tool: string, args?: unknown, sessionId?: string): Promise<string>
  /** Another machine joins, with a workspace of its own. */
  join(
    id: string,
    options?: {
      role?: 'execution' | 'specialized'
      env?: Record<string, string>
      workspace?: string
      /** The address to dial, where it is not the gateway's own. */
      dial?(url: string): Promise<string>
    },
  ): Promise<JoinedNode>
}

export interface JoinedNode extends NodeProcess {
  id: string
  workspace: string
  data: string
}

const nothing = { subCommands: [], ruleIds: [], offers: [], resources: [], targets: [] }
const gate: CallGate = {
  mode: 'all',
  decide: () => ({ verdict: 'allow', reason: 'everything is allowed', ...nothing }),
  ask: () => Promise.reject(new Error('Nothing should ask')),
}
const sink = { gist: () => {}, grant: () => {}, state: () => {} }

export function openWorld(options: Partial<EngineOptions> = {}): World {
  const world = {} as World
  const nodes: JoinedNode[] = []
  let program: Awaited<ReturnType<typeof bundleAgent>> | null = null
  let calls = 0

  beforeAll(async () => {
    const root = mkdtempSync(join(tmpdir(), 'deckhand-world-'))
    chmodSync(root, 0o755)
    const [dataDir, workspace] = [join(root, 'data'), join(root, 'workspace')]
    for (const folder of [dataDir, workspace]) mkdirSync(folder)
    const engine = await createEngine({
      dataDir,
      openHost: openInProcessHost,
      secrets: memorySecrets(),
      interactive: false,
      ...options,
    })
    const session = engine.createSession({ toolset: 'gsv', mode: 'all', workspace, title: 'Test', model: 'guide' })
    engine.updateSettings({ defaultWorkspace: workspace, defaultMode: 'all', defaultModel: 'guide' })
    Object.assign(world, { root, dataDir, workspace, engine, session })
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end()))
    await world.engine.close()
    program?.remove()
    rmSync(world.root, { recursive: true, force: true })
  })

  world.definitions = () => definitionsOf(world.engine.toolset('gsv'), world.session.id)
  world.call = (tool, args, sessionId = world.session.id) =>
    dispatch(
      { toolset: world.engine.toolset('gsv'), name: tool, arguments: args },
      { sessionId, callId: `call-${++calls}`, workspace: world.workspace, signal: new AbortController().signal },
      gate,
      sink,
      { maxResultBytes: 4_000_000, spillDir: join(world.root, 'spill') },
    )
  world.answer = async (tool, args, sessionId) => {
    const { content } = await world.call(tool, args, sessionId)
    const [first] = content
    if (first?.type !== 'text') throw new Error(`${tool} answered without text: ${JSON.stringify(content)}`)
    return JSON.parse(first.text) as Json
  }
  world.result = async (tool, args = {}, sessionId) => {
    const answer = await world.answer(`gsv__${tool}`, args, sessionId)
    if (answer.ok !== true) throw new Error(`${tool} failed: ${JSON.stringify(answer)}`)
    return answer.result as Json
  }
  world.error = async (tool, args = {}, sessionId) => {
    const answer = await world.answer(`gsv__${tool}`, args, sessionId)
    if (answer.ok !== false) throw new Error(`${tool} did not fail: ${JSON.stringify(answer)}`)
    return answer.error as string
  }
  world.join = async (id, { role = 'execution', env, workspace: given, dial = async (url: string) => url } = {}) => {
    const { add, registry } = world.engine.nodes
    program ??= await bundleAgent()
    const [workspace, data] = [given ?? join(world.root, `workspace-${id}`), join(world.root, `data-${id}`)]
    mkdirSync(workspace, { recursive: true })
    const { token, url } = await add({ id, role })
    const started = startNode(program.script, {
      gateway: await dial(url),
      token,
      id,
      workspace,
      data,
      role,
      ...(env && { env }),
    })
    const node: JoinedNode = { ...started, id, workspace, data }
    nodes.push(node)
    await untilNode(node, () => registry.get(id)?.state === 'connected')
    return node
  }
  return world
}
