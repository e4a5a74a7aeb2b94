import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { NodesEvent } from '../../src-preload/contract/nodes'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Settings } from '../../src-preload/contract/settings'
import { openDatabase } from '../database'
import { silentLog } from '../log'
import { openInProcessHost } from '../nodes/host-link'
import { createLocalNode } from '../nodes/local'
import { createProcessTable } from '../nodes/process-table'
import { createNodes, type NodesOptions } from './nodes'
import { capabilitiesOfTool } from './runtime'
import type { ResponseFrame } from './wire'

/** Real sockets, a real database and real processes; the other machines are real processes of plain Node. */

export const sessionId = 'session'

export interface BenchOptions {
  folder?: string
  sharedToken?: string
  takenIds?: () => readonly string[]
  shellNodes?: NodesOptions['shellNodes']
  clock?: () => number
  settings?: Partial<Settings>
}

export function openBench({ settings: changes, ...options }: BenchOptions = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'deckhand-gateway-'))
  const database = openDatabase(folder)
  const events: (DeckhandEvent | NodesEvent)[] = []
  const rows = new Map<string, ProcessInfo>()
  const localNode = createLocalNode({ openHost: () => openInProcessHost() })
  const table = createProcessTable({
    nodes: [localNode],
    logDir: join(folder, 'processes'),
    save: (row) => void rows.set(row.id, { ...row }),
    load: () => savedRows.get(folder) ?? [],
    forget: (id) => void rows.delete(id),
    publish: (event) => void events.push(event),
  })
  const settings = {
    gatewayEnabled: true,
    gatewayHost: '127.0.0.1',
    gatewayPort: 0,
    gatewayCertificate: '',
    gatewayKey: '',
    nodeName: 'here',
    primaryNode: '',
    defaultWorkspace: folder,
    ...changes,
  } as Settings
  const nodes = createNodes({
    database,
    log: silentLog,
    version: '0.0.0',
    dataDir: folder,
    settings: () => settings,
    updateSettings: (patch) => {
      Object.assign(settings, patch)
      nodes.settingsChanged(patch)
    },
    table,
    localNode,
    publish: (event) => void events.push(event),
    hasSession: (id) => id === sessionId,
    ...options,
  })
  return {
    ...nodes,
    nodes,
    table,
    localNode,
    folder,
    events,
    settings,
    url: async () => (await nodes.gateway.start()).url ?? '',
    async close(keep = false) {
      await nodes.close()
      await table.close()
      database.close()
      if (keep) savedRows.set(folder, [...rows.values()])
      else rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type GatewayBench = ReturnType<typeof openBench>

const savedRows = new Map<string, ProcessInfo[]>()

export interface TestNode {
  id: string
  child: ChildProcess
  workspace: string
  folder: string
  output(): string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const withoutCapabilities = ['setpriv', '--bounding-set', '-all', '--inh-caps', '-all']

/** Starts the agent with plain Node, in whatever version is installed, as another machine would. */
export function startNode(options: {
  script: string
  url: string
  token: string
  id: string
  folder: string
  role?: string
  pin?: string
  env?: Record<string, string>
  /** Limits it to the rights of an ordinary user, even when the tests run as root. */
  unprivileged?: boolean
}): TestNode {
  const workspace = join(options.folder, `${options.id}-workspace`)
  const folder = join(options.folder, `${options.id}-state`)
  mkdirSync(workspace, { recursive: true })
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const args = ['--gateway', options.url, '--id', options.id, '--workspace', workspace, '--data', folder]
  const { role, pin } = options
  const argv = ['node', options.script, ...args, ...(role ? ['--role', role] : []), ...(pin ? ['--pin', pin] : [])]
  if (options.unprivileged && process.geteuid?.() === 0) argv.unshift(...withoutCapabilities)
  const [file = '', ...rest] = argv
  const child = spawn(file, rest, {
    env: { ...env, SHELL: '/bin/sh', DECKHAND_NODE_TOKEN: options.token, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  child.stderr.on('data', (text) => {
    said += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return {
    id: options.id,
    child,
    workspace,
    folder,
    output: () => said,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

export async function until<T>(check: () => T | Promise<T>, withinMs = 30_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await check()
    if (found) return found as NonNullable<T>
    if (Date.now() > deadline) throw new Error(`It did not happen in time: ${check}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A raw socket for sending frames that a real node would never send. */
export async function openRaw(url: string, token: string | null, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, {
    headers: { ...(token !== null && { Authorization: `Bearer ${token}` }), ...headers },
  })
  const frames: Record<string, unknown>[] = []
  const binaries: Buffer[] = []
  let status: number | null = null
  let closed: { code: number; reason: string } | null = null
  socket.on('message', (data, isBinary) => {
    if (isBinary) binaries.push(data as Buffer)
    else frames.push(JSON.parse(String(data)))
  })
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) }
  })
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.on('open', () => resolve())
    socket.on('unexpected-response', (request, response) => {
      status = response.statusCode ?? 0
      request.destroy()
      resolve()
    })
    socket.on('close', () => resolve())
  })
  let lastId = 0
  return {
    socket,
    frames,
    binaries,
    status: () => status,
    closed: () => closed,
    nonce: async () =>
      ((await until(() => frames.find(({ event }) => event === 'connect.challenge'))).payload as { nonce: string })
        .nonce,
    send: (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    async request(method: string, params?: unknown): Promise<ResponseFrame> {
      const id = `r${++lastId}`
      socket.send(JSON.stringify({ type: 'req', id, method, params }))
      return (await until(() =>
        frames.find((frame) => frame.type === 'res' && frame.id === id),
      )) as unknown as ResponseFrame
    },
    event: async (name: string) =>
      (await until(() => frames.find((frame) => frame.event === name))).payload as Record<string, unknown>,
  }
}

export type RawNode = Awaited<ReturnType<typeof openRaw>>

export const plainTools = ['Bash', 'Process', 'Read', 'Write', 'Edit', 'Glob', 'Grep']

/** Params of a valid `connect` request. */
export function greeting(
  id: string,
  tools: readonly string[] = plainTools,
  changes: object = {},
  runtime: object = {},
) {
  const toolCapabilities = Object.fromEntries(tools.map((tool) => [tool, capabilitiesOfTool(tool)]))
  return {
    minProtocol: 1,
    maxProtocol: 1,
    client: { id, version: '1', platform: 'linux', mode: 'node' },
    tools: tools.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
    nodeRuntime: {
      hostRole: 'execution',
      hostCapabilities: [...new Set(Object.values(toolCapabilities).flat())],
      toolCapabilities,
      hostOs: ' Linux ',
      ...runtime,
    },
    ...changes,
  }
}

/** A transfer that a call of the session asks for. */
export const transferRequest = (source: string, destination: string, more: object = {}) => ({
  source,
  destination,
  agentId: 'main',
  sessionId,
  callId: null,
  ...more,
})
