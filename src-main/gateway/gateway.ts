import { z } from 'zod'
import type { Content } from '../../src-preload/contract/content'
import { isLoopback } from '../../src-preload/contract/loopback'
import type { GatewayInfo, NodeInfo, NodeLog, NodeRole } from '../../src-preload/contract/nodes'
import type { Display, ToolErrorKind } from '../../src-preload/contract/tool-calls'
import type { Database } from '../database'
import type { Logger } from '../log'
import { GatewayError } from './errors'
import { createExecEvents } from './exec-events'
import { createGreeting } from './greeting'
import { createHub, type Hub } from './hub'
import { createNodeCalls, type NodeCalls } from './node-calls'
import { idTrouble } from './node-ids'
import { createNodeRows, type NodeRow } from './node-rows'
import { hashOf, newToken } from './tokens'

/** A tool as its node describes it; the name is without the node's prefix. */
export interface RemoteTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

export interface InvokeRequest {
  nodeId: string
  /** Without the prefix: `Bash`. */
  tool: string
  args: Record<string, unknown>
  sessionId: string
  signal?: AbortSignal
  /** Maximum size of the result's text. */
  resultBytes?: number
  /** Environment variables that the permission gate adds to processes started by the call. */
  env?: Readonly<Record<string, string>>
  /** What to show while it runs, such as the process that it started. */
  onShow?(display: Display, progress?: string): void
}

/** The tool's own result. A failed connection is thrown as a `GatewayError` instead. */
export type InvokeOutcome =
  | {
      ok: true
      /** The documented result object, as it came over the wire. */
      result: unknown
      /** The same result in the form that the model gets. */
      content: Content[]
      display?: Display
    }
  | { ok: false; kind: ToolErrorKind; error: string; content?: Content[]; display?: Display }

/** A background command on a node, as the node reports it. Delivered once for each `eventId`. */
export interface ExecEvent {
  eventId: string
  nodeId: string
  sessionId: string
  callId?: string
  event: 'started' | 'finished' | 'failed' | 'timed_out'
  exitCode?: number | null
  signal?: string | null
  outputTail?: string
  startedAt?: number
  endedAt?: number | null
}

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
  settings(): { gatewayEnabled: boolean; gatewayHost: string; gatewayPort: number }
  /** For a gateway without a window: one token that any node may use. */
  sharedToken?: string
  /** Prefixes already in use, such as the names of MCP servers and of this machine. */
  takenIds?(): readonly string[]
  isKnownSession?(nodeId: string, sessionId: string): boolean
  runningOn?(nodeId: string): number
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
const probeFreshMs = 5 * 60 * 1000
const defaultLogMs = 20_000
const defaultProbeMs = 15_000

export function createGateway(options: GatewayOptions): Gateway {
  const { log, clock = Date.now } = options
  const rows = createNodeRows(options.database)
  const listeners = new Set<() => void>()
  const execListeners = new Set<(event: ExecEvent) => void>()
  const lostBecause = new Map<string, string>()
  const probes = new Map<string, Map<string, { there: boolean; at: number }>>()
  const sharedHash = options.sharedToken === undefined ? null : hashOf(options.sharedToken)
  let listening: { host: string; port: number } | null = null
  let starting: Promise<GatewayInfo> | null = null
  let problem: string | null = null

  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  const greeting = createGreeting({ rows, sharedHash, clock, takenIds: () => options.takenIds?.() ?? [] })
  const { heartbeatMs, greetingMs, framesPerSecond } = options
  const hub = createHub({
    log,
    version: options.version,
    clock,
    events,
    identify: greeting.identify,
    greet: greeting.greet,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
    ...(greetingMs !== undefined && { greetingMs }),
    ...(framesPerSecond !== undefined && { framesPerSecond }),
  })
  const execEvents = createExecEvents({
    hub,
    clock,
    isKnown: options.isKnownSession ?? (() => false),
    deliver: (event) => {
      for (const listener of execListeners) listener(event)
    },
  })
  const calls = createNodeCalls(hub, execEvents.noteRunning, clock)

  // Nodes call this now and then as a keep-alive.
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

  const find = (nodeId: string): NodeRow => {
    const row = rows.get(nodeId)
    if (!row) throw new GatewayError(404, `There is no node ${nodeId}`)
    return row
  }
  const requireFree = (id: string): void => {
    const trouble = idTrouble(id, options.takenIds?.())
    if (trouble) throw new GatewayError(400, trouble)
    if (rows.named(id)) throw new GatewayError(409, `There is a node named ${id} already`)
  }

  const info = (): GatewayInfo => {
    const { gatewayEnabled, gatewayHost } = options.settings()
    const host = listening?.host ?? gatewayHost
    const url = listening && `ws://${host.includes(':') ? `[${host}]` : host}:${listening.port}/ws`
    return { enabled: gatewayEnabled, url, host, port: listening?.port ?? 0, loopback: isLoopback(host), problem }
  }

  const listen = async (): Promise<GatewayInfo> => {
    const { gatewayHost: host, gatewayPort: wanted } = options.settings()
    const kept = Number(rows.state('port') ?? 0)
    try {
      const address = await hub.listen(host, wanted || kept).catch((error: NodeJS.ErrnoException) => {
        // A port that was picked automatically may be replaced; one that the user chose may not.
        if (wanted || !kept || error.code !== 'EADDRINUSE') throw error
        return hub.listen(host, 0)
      })
      listening = { host, port: address.port }
      problem = null
      if (!wanted) rows.setState('port', String(address.port))
      log.info('The gateway listens', { host, port: address.port })
    } catch (error) {
      problem = `The gateway cannot listen on ${host}: ${error instanceof Error ? error.message : String(error)}`
      log.error(problem)
      starting = null
      changed()
      throw new GatewayError(500, problem)
    }
    changed()
    return info()
  }

  const infoOf = (row: NodeRow): NodeInfo => {
    const link = hub.link(row.id)
    const runtime = link?.runtime ?? row.runtime
    const approved = new Set(row.approved ?? [])
    const found = probes.get(row.id)
    return {
      id: row.id,
      local: false,
      state: link ? 'connected' : row.lastSeenAt === null ? 'expected' : 'disconnected',
      role:
        runtime?.role === 'execution' && approved.has('role:execution')
          ? 'execution'
          : runtime
            ? 'specialized'
            : row.role,
      primary: false,
      os: runtime?.os ?? null,
      hostname: runtime?.hostname ?? null,
      version: link?.version ?? row.runtime?.version ?? null,
      workspace: runtime?.workspace ?? null,
      tools: (link?.tools.map(({ name }) => name) ?? row.runtime?.tools ?? []).filter((tool) =>
        allowsTool(row, runtime, tool),
      ),
      capabilities: (runtime?.capabilities ?? []).filter((each) => approved.has(each)),
      newCapabilities: greeting.claimsOf(runtime).filter((claim) => row.approved !== null && !approved.has(claim)),
      envKeys: runtime?.envKeys ?? [],
      bins: { ...runtime?.bins, ...(found && Object.fromEntries([...found].map(([bin, { there }]) => [bin, there]))) },
      binsCheckedAt: found ? Math.max(...[...found.values()].map(({ at }) => at)) : (runtime?.binsCheckedAt ?? null),
      latencyMs: link?.peer.latencyMs ?? null,
      address: link?.peer.address ?? null,
      processes: options.runningOn?.(row.id) ?? 0,
      addedAt: row.addedAt,
      connectedAt: link?.connectedAt ?? null,
      lastSeenAt: link ? clock() : row.lastSeenAt,
      problem: link ? null : (lostBecause.get(row.id) ?? null),
    }
  }

  const giveToken = (row: NodeRow): { nodeId: string; token: string } => {
    const token = newToken()
    // Without a device key, the next device that uses the new token becomes this node.
    rows.save({ ...row, tokenHash: hashOf(token), deviceKey: null })
    changed()
    return { nodeId: row.id, token }
  }

  const connected = (nodeId: string): void => {
    if (hub.link(nodeId)) return
    const others = hub.links().map(({ id }) => id)
    const hint = others.length > 0 ? ` Connected: ${others.join(', ')}.` : ' No node is connected.'
    throw new GatewayError(503, `Node ${nodeId} is not connected.${hint}`)
  }

  const requireTool = ({ nodeId, tool }: InvokeRequest): void => {
    connected(nodeId)
    const link = hub.link(nodeId)
    if (!link?.tools.some(({ name }) => name === tool)) {
      throw new GatewayError(404, `Node ${nodeId} has no tool ${tool}`)
    }
    if (!allowsTool(find(nodeId), link.runtime, tool)) {
      throw new GatewayError(403, `${tool} is new on node ${nodeId}; the user has to approve it first`)
    }
  }

  return {
    hub,
    calls,
    info,
    start() {
      if (listening) return Promise.resolve(info())
      starting ??= listen()
      return starting
    },
    async stop() {
      await starting?.catch(() => {})
      starting = null
      listening = null
      await hub.close()
      changed()
    },
    nodes: () => rows.list().map(infoOf),
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
      connected(nodeId)
      const wanted = Math.min(Math.floor(lines), 5000)
      const { lines: found = [], truncated = false } = await calls.logs(nodeId, wanted, timeoutMs)
      const last = found.slice(-wanted)
      return { nodeId, lines: last, count: last.length, truncated }
    },
    async probe(nodeId, bins, { timeoutMs = defaultProbeMs } = {}) {
      const known = probes.get(nodeId) ?? new Map<string, { there: boolean; at: number }>()
      const stale = bins.filter((bin) => clock() - (known.get(bin)?.at ?? Number.NEGATIVE_INFINITY) > probeFreshMs)
      if (stale.length > 0) {
        connected(nodeId)
        const limit = Math.min(120_000, Math.max(1000, timeoutMs))
        for (const [bin, there] of Object.entries(await calls.probe(nodeId, stale, limit)))
          known.set(bin, { there, at: clock() })
        probes.set(nodeId, known)
        changed()
      }
      return Object.fromEntries(bins.map((bin) => [bin, known.get(bin)?.there ?? false]))
    },
    add({ id, role = 'execution' }) {
      requireFree(id)
      const addedAt = clock()
      const row: NodeRow = {
        id,
        aliases: [],
        tokenHash: null,
        deviceKey: null,
        role,
        approved: null,
        runtime: null,
        addedAt,
        lastSeenAt: null,
      }
      return giveToken(row)
    },
    renewToken(nodeId) {
      const given = giveToken(find(nodeId))
      hub.drop(nodeId, 'Its token was renewed')
      return given
    },
    rename(nodeId, newId) {
      const row = find(nodeId)
      if (newId === nodeId) return
      const trouble = idTrouble(newId, options.takenIds?.())
      if (trouble) throw new GatewayError(400, trouble)
      const other = rows.named(newId)
      if (other && other.id !== nodeId) throw new GatewayError(409, `There is a node named ${newId} already`)
      rows.rename(nodeId, newId, [...new Set([...row.aliases.filter((alias) => alias !== newId), nodeId])])
      // The node reconnects under its new name, so that nothing continues under the old one.
      hub.drop(nodeId, 'It was renamed')
      changed()
    },
    disconnect(nodeId) {
      find(nodeId)
      hub.drop(nodeId, 'Disconnected by the user')
    },
    revoke(nodeId) {
      find(nodeId)
      rows.revoke(nodeId)
      hub.drop(nodeId, 'It was revoked')
      changed()
    },
    approve(nodeId) {
      const row = find(nodeId)
      const claims = greeting.claimsOf(hub.link(nodeId)?.runtime ?? row.runtime)
      rows.save({ ...row, approved: [...new Set([...(row.approved ?? []), ...claims])] })
      changed()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onExecEvent(listener) {
      execListeners.add(listener)
      return () => void execListeners.delete(listener)
    },
  }
}

/** Tools of capabilities that the user has not approved are not available. */
function allowsTool(
  row: NodeRow,
  runtime: { toolCapabilities: Record<string, string[]> } | null,
  tool: string,
): boolean {
  const needs = runtime && Object.hasOwn(runtime.toolCapabilities, tool) ? runtime.toolCapabilities[tool] : undefined
  return needs?.every((capability) => row.approved?.includes(capability)) ?? false
}
