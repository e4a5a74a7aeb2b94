import { join } from 'node:path'
import { z } from 'zod'
import type { GatewayInfo, NodeInfo, NodeLog, NodeRole } from '../../src-preload/contract/nodes'
import type { Database } from '../database'
import { createListeners } from '../listeners'
import type { Logger } from '../log'
import { createEnrolment } from './enrolment'
import { GatewayError } from './errors'
import { createExecEvents } from './exec-events'
import { createGreeting } from './greeting'
import { createHub, type Hub, type NodeLink } from './hub'
import type { ExecEvent, InvokeOutcome, InvokeRequest, RemoteTool } from './invoke'
import { createListening, type GatewaySettings } from './listening'
import { createNodeCalls, type NodeCalls } from './node-calls'
import { allowsTool, nodeInfo } from './node-info'
import { createNodeRows } from './node-rows'
import { createProbes } from './probes'
import { hashOf } from './tokens'

/** Access to other machines. Nothing here asks for permission: `dispatch`, which makes the calls, has done so. */
export interface Gateway {
  info(): GatewayInfo
  /** Resolves when it listens. Called again, it does nothing. */
  start(): Promise<GatewayInfo>
  stop(): Promise<void>
  /** All known nodes but the local one, connected or not. */
  nodes(): NodeInfo[]
  /** Tools of a connected node, without those that are withheld. Empty if the node is not connected. */
  tools(nodeId: string): RemoteTool[]
  isConnected(nodeId: string): boolean
  /** The home folder on a connected node. */
  home(nodeId: string): string | undefined
  /** Throws `GatewayError`: 503 when the node is not connected or is lost meanwhile, 404 without such a tool. */
  invoke(request: InvokeRequest): Promise<InvokeOutcome>
  /** Reports what a call would change, without changing it; null if the node cannot tell. Throws like `invoke`. */
  preview(request: InvokeRequest): Promise<InvokeOutcome | null>
  /** Last lines of a node's own log. Throws `GatewayError`. `lines` is 100 when left out. */
  logs(nodeId: string, options?: { lines?: number; timeoutMs?: number }): Promise<NodeLog>
  /** Which programs the node's login shell finds. Answers younger than five minutes are not asked for again. */
  probe(nodeId: string, bins: readonly string[], options?: { timeoutMs?: number }): Promise<Record<string, boolean>>
  add(node: { id: string; role?: NodeRole; workspace?: string }): { nodeId: string; token: string }
  renewToken(nodeId: string): { nodeId: string; token: string }
  rename(nodeId: string, newId: string): void
  disconnect(nodeId: string): void
  revoke(nodeId: string): void
  approve(nodeId: string): void
  /** Called when a node connects, disconnects, is added, renamed or updated. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void
  onExecEvent(listener: (event: ExecEvent) => void): () => void
  /** For services with their own protocol messages: processes and transfers. */
  hub: Hub
  calls: NodeCalls
}

interface GatewayOptions {
  database: Database
  log: Logger
  version: string
  settings(): GatewaySettings
  /** The data folder; a generated certificate is stored in it. */
  dataDir: string
  /** For a gateway without a window: one token that any node may use. */
  sharedToken?: string
  /** Prefixes already in use, such as the names of MCP servers and of this machine. */
  takenIds?(): readonly string[]
  isKnownSession?(nodeId: string, sessionId: string): boolean
  runningOn?(nodeId: string): number
  /** Settles when all processes that nodes have told of are in the table. */
  processesOpened?(): Promise<unknown>
  clock?: () => number
  heartbeatMs?: number
  greetingMs?: number
  framesPerSecond?: number
}

const events = [
  ...['connect.challenge', 'tool.invoke', 'tool.preview', 'tool.cancel', 'logs.get', 'node.probe'],
  ...['process.start', 'process.input', 'process.write', 'process.resize', 'process.signal', 'process.ack'],
  ...['transfer.send', 'transfer.receive', 'transfer.start', 'transfer.ack', 'transfer.end', 'transfer.abort'],
]
const defaultLogMs = 20_000

export function createGateway(options: GatewayOptions): Gateway {
  const { log, clock = Date.now } = options
  const rows = createNodeRows(options.database)
  const changes = createListeners<[]>()
  const execs = createListeners<[event: ExecEvent]>()
  const lostBecause = new Map<string, string>()
  const sharedHash = options.sharedToken === undefined ? null : hashOf(options.sharedToken)

  const changed = changes.tell
  const takenIds = () => options.takenIds?.() ?? []
  const greeting = createGreeting({ rows, sharedHash, clock, takenIds })
  const hub = hubFor(options, greeting, clock)
  const execEvents = createExecEvents({
    hub,
    clock,
    isKnown: options.isKnownSession ?? (() => false),
    deliver: execs.tell,
  })
  const opened = options.processesOpened ?? (() => Promise.resolve())
  const calls = createNodeCalls(hub, execEvents.noteRunning, opened, clock)

  // Nodes call this at times as a keep-alive.
  hub.method('tools.list', z.unknown(), (link) => ({ tools: link.tools.map(({ name }) => `${link.id}__${name}`) }))
  hub.onConnected((link) => {
    lostBecause.delete(link.id)
    changed()
  })
  hub.onLost((link, reason) => {
    lostBecause.set(link.id, reason)
    rows.seen(link.id, clock())
    changed()
  })

  const requireConnected = (nodeId: string): NodeLink => {
    const link = hub.link(nodeId)
    if (!link) throw notConnected(nodeId, hub.links())
    return link
  }

  const listening = createListening({
    hub,
    rows,
    log,
    settings: options.settings,
    folder: join(options.dataDir, 'gateway'),
    clock,
    changed,
  })
  const { find: enrolled, ...changing } = createEnrolment({ rows, hub, clock, takenIds, changed })
  const probes = createProbes({ calls, clock, requireConnected, changed })

  const requireTool = ({ nodeId, tool }: InvokeRequest): void => {
    const link = requireConnected(nodeId)
    if (!link.tools.some(({ name }) => name === tool)) throw new GatewayError(404, `Node ${nodeId} has no tool ${tool}`)
    if (!allowsTool(enrolled(nodeId), link.runtime, tool))
      throw new GatewayError(403, `${tool} is new on node ${nodeId}; the user has to approve it first`)
  }

  return {
    hub,
    calls,
    info: listening.info,
    start: listening.start,
    stop: listening.stop,
    nodes: () =>
      rows.list().map((row) =>
        nodeInfo(row, {
          link: hub.link(row.id),
          found: probes.found(row.id),
          processes: options.runningOn?.(row.id) ?? 0,
          now: clock(),
          lostBecause: lostBecause.get(row.id) ?? null,
        }),
      ),
    tools(nodeId) {
      const link = hub.link(nodeId)
      const row = rows.get(nodeId)
      return link && row ? link.tools.filter(({ name }) => allowsTool(row, link.runtime, name)) : []
    },
    isConnected: (nodeId) => hub.link(nodeId) !== undefined,
    home: (nodeId) => hub.link(nodeId)?.runtime.home ?? undefined,
    async invoke(request) {
      requireTool(request)
      return calls.invoke(request)
    },
    async preview(request) {
      requireTool(request)
      return hub.link(request.nodeId)?.runtime.previews ? calls.preview(request) : null
    },
    async logs(nodeId, { lines = 100, timeoutMs = defaultLogMs } = {}) {
      if (!Number.isFinite(lines) || lines < 1) throw new GatewayError(400, '`lines` must be a number of at least 1')
      requireConnected(nodeId)
      return readLogs(calls, nodeId, Math.min(Math.floor(lines), 5000), timeoutMs)
    },
    probe: probes.probe,
    ...changing,
    onChange: changes.add,
    onExecEvent: execs.add,
  }
}

const notConnected = (nodeId: string, links: readonly NodeLink[]): GatewayError => {
  const others = links.map(({ id }) => id)
  const hint = others.length > 0 ? ` Connected: ${others.join(', ')}.` : ' No node is connected.'
  return new GatewayError(503, `Node ${nodeId} is not connected.${hint}`)
}

/** The last lines of a node's log, however many it sends. */
async function readLogs(calls: NodeCalls, nodeId: string, wanted: number, timeoutMs: number) {
  const { lines = [], truncated = false } = await calls.logs(nodeId, wanted, timeoutMs)
  const last = lines.slice(-wanted)
  return { nodeId, lines: last, count: last.length, truncated }
}

const hubFor = (
  { log, version, heartbeatMs, greetingMs, framesPerSecond }: GatewayOptions,
  { identify, greet }: ReturnType<typeof createGreeting>,
  clock: () => number,
): Hub =>
  createHub({
    log,
    version,
    clock,
    events,
    identify,
    greet,
    heartbeatMs,
    greetingMs,
    framesPerSecond,
  })
