import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { GatewayInfo, NodeInvitation, NodesEvent } from '../../src-preload/contract/nodes'
import type { Settings } from '../../src-preload/contract/settings'
import type { Database } from '../database'
import type { Logger } from '../log'
import type { NodeFiles } from '../nodes/files/node-files'
import type { LocalNode } from '../nodes/local'
import type { ProcessTable } from '../nodes/process-table'
import { createNodeRegistry, type NodeRegistry, type NodeSource } from '../nodes/registry'
import { GatewayError } from './errors'
import { createGateway, type Gateway } from './gateway'
import { localSocketPath } from './local-wire'
import { idFromHostname } from './node-ids'
import { createNodeRows } from './node-rows'
import { createRemoteProcesses } from './remote-processes'
import { capabilityIds, capabilityTools } from './runtime'
import { shareGateway } from './shared-gateway'
import { createTransfers, type Transfers } from './transfer'

const lookMs = 50

const listeningSettings = ['gatewayEnabled', 'gatewayHost', 'gatewayPort', 'gatewayCertificate', 'gatewayKey'] as const

export interface NodesOptions {
  database: Database
  log: Logger
  version: string
  dataDir: string
  settings(): Settings
  updateSettings(patch: Partial<Settings>): void
  /** Nodes that are reached through a program on this machine, not through the gateway. */
  shellNodes?: NodeSource & { filesAt(id: string): { files: NodeFiles; workspace: string } | undefined }
  table: ProcessTable
  localNode: LocalNode
  publish(event: NodesEvent): void
  hasSession(sessionId: string): boolean
  /** Names of MCP servers: they share the tool namespace with nodes. */
  takenIds?(): readonly string[]
  sharedToken?: string
  clock?: () => number
}

/** This machine and all other nodes together: the registry, the gateway and the transfers between them. */
export interface Nodes {
  registry: NodeRegistry
  gateway: Gateway
  transfers: Transfers
  /** Opens the gateway if nodes are expected. Does nothing if none was ever added. Not part of the startup path. */
  startIfNeeded(): Promise<void>
  /** Uses the nodes of another process that serves this data folder, as `deckhand gateway` does. False without one. */
  join(): Promise<boolean>
  /** Waits until the node is usable, through another process or by serving it here. */
  untilConnected(nodeId: string, waitMs: number, signal: AbortSignal): Promise<boolean>
  add(node: { id: string; role?: 'execution' | 'specialized'; workspace?: string }): Promise<NodeInvitation>
  renewToken(nodeId: string): Promise<NodeInvitation>
  rename(nodeId: string, newId: string): void
  openTerminal(nodeId: string, sessionId: string): Promise<string>
  /** Restarts or closes the gateway if the change affects it. */
  settingsChanged(patch: Partial<Settings>): void
  close(): Promise<void>
}

export function createNodes(options: NodesOptions): Nodes {
  const { table, localNode, settings, log } = options
  const rows = createNodeRows(options.database)

  const own = createGateway({
    database: options.database,
    log,
    version: options.version,
    settings,
    dataDir: options.dataDir,
    sharedToken: options.sharedToken,
    clock: options.clock,
    takenIds: () => [
      registry.localId(),
      ...(options.shellNodes?.nodes() ?? []).map(({ id }) => id),
      ...(options.takenIds?.() ?? []),
    ],
    isKnownSession: (nodeId, sessionId) => table.get(sessionId)?.node === nodeId,
    runningOn: (nodeId) => remote.runningOn(nodeId),
    processesOpened: () => remote.opened(),
  })
  const shared = shareGateway(own, localSocketPath(options.dataDir), log)
  const { gateway } = shared
  const remote = createRemoteProcesses({
    hub: own.hub,
    calls: own.calls,
    table,
    localNode,
    log,
    hasSession: options.hasSession,
    aliasesOf: (nodeId) => rows.get(nodeId)?.aliases ?? [],
  })
  const registry = registryFor(options, gateway)
  const transfers = createTransfers({
    hub: own.hub,
    ownRoot: (agentId) => join(options.dataDir, 'agents', agentId),
    isLocal: registry.isLocal,
    filesAt: (id) => options.shellNodes?.filesAt(id),
    localWorkspace: () => settings().defaultWorkspace,
    publish: (transfer) => options.publish({ type: 'transfer', transfer }),
    clock: options.clock,
  })

  const stopTelling = announceTogether(registry, options.publish)

  const invite = async (
    given: { nodeId: string; token: string },
    extra: { role?: string; workspace?: string },
  ): Promise<NodeInvitation> => invitationFor(await gateway.start(), given, extra)

  const startIfNeeded = async (): Promise<void> => {
    if (!settings().gatewayEnabled || rows.list().length === 0) return
    await gateway.start().catch((error: unknown) => log.error('The gateway did not start', { error }))
  }

  return {
    registry,
    gateway,
    transfers,
    startIfNeeded,
    async join() {
      const joined = await shared.join()
      joined?.onChange(() => options.publish(registry.event()))
      return joined !== null
    },
    async untilConnected(nodeId, waitMs, signal) {
      const row = rows.named(nodeId)
      if (!row) return false
      if (!shared.isJoined() && !(await this.join())) await gateway.start()
      return isThere(gateway, row.id, waitMs, signal)
    },
    async add(node) {
      // Start first: a token is useless if the gateway cannot listen.
      await gateway.start()
      return invite(gateway.add(node), node)
    },
    async renewToken(nodeId) {
      const node = registry.get(nodeId)
      return invite(gateway.renewToken(nodeId), {
        role: node?.role,
        ...(node?.workspace && { workspace: node.workspace }),
      })
    },
    rename(nodeId, newId) {
      if (!registry.isLocal(nodeId)) return gateway.rename(nodeId, newId)
      options.updateSettings({ nodeName: newId })
    },
    openTerminal: remote.openTerminal,
    settingsChanged(patch) {
      if (patch.nodeName !== undefined || patch.primaryNode !== undefined) options.publish(registry.event())
      if (!listeningSettings.some((name) => patch[name] !== undefined)) return
      void gateway.stop().then(startIfNeeded)
    },
    async close() {
      shared.leave()
      await gateway.stop()
      // The database closes next and no window is left, so nothing more may be published.
      stopTelling()
    },
  }
}

/** Several things change at once when a node connects; they are published as one event. */
const announceTogether = (registry: NodeRegistry, publish: (event: NodesEvent) => void): (() => void) => {
  let announcing: NodeJS.Immediate | null = null
  const stop = registry.onChange(() => {
    announcing ??= setImmediate(() => {
      announcing = null
      publish(registry.event())
    })
  })
  return () => {
    stop()
    if (announcing) clearImmediate(announcing)
  }
}

/** Resolves when the node is connected or the time is up. */
async function isThere(gateway: Gateway, nodeId: string, waitMs: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + waitMs
  while (!gateway.isConnected(nodeId)) {
    signal.throwIfAborted()
    if (performance.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return true
}

/** This machine is a node among the others. */
const registryFor = (
  { shellNodes, settings, version, clock = Date.now, localNode, table }: NodesOptions,
  gateway: Gateway,
): NodeRegistry =>
  createNodeRegistry({
    gateway,
    shellNodes,
    settings,
    idFromHostname,
    version,
    startedAt: clock(),
    local: {
      info: localNode.info,
      workspace: () => settings().defaultWorkspace,
      tools: [...new Set(Object.values(capabilityTools).flat())],
      capabilities: capabilityIds,
      running: table.countRunningHere,
    },
  })

/** The command that connects a node, ready to be pasted. */
function invitationFor(
  gateway: GatewayInfo,
  { nodeId, token }: { nodeId: string; token: string },
  extra: { role?: string; workspace?: string } = {},
): NodeInvitation {
  if (gateway.url === null) throw new GatewayError(500, gateway.problem ?? 'The gateway does not listen')
  const host = gateway.name ?? reachableHost(gateway.host)
  const url = `${gateway.encrypted ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${gateway.port}`
  const words = ['deckhand', 'node', '--gateway', url, '--token', token, '--id', nodeId]
  if (gateway.pin !== null) words.push('--pin', gateway.pin)
  if (extra.workspace) words.push('--workspace', extra.workspace)
  if (extra.role === 'specialized') words.push('--role', extra.role)
  return { nodeId, token, url, command: words.map(quoted).join(' ') }
}

/** An address that other machines can use, if the gateway listens on all interfaces. */
function reachableHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((address) => !address.internal && address.family === 'IPv4')
  return outside?.address ?? hostname()
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
