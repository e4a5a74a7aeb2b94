import { join } from 'node:path'
import type { NodeInvitation, NodesEvent } from '../../src-preload/contract/nodes'
import type { Settings } from '../../src-preload/contract/settings'
import type { Database } from '../database'
import type { Logger } from '../log'
import type { NodeFiles } from '../nodes/files/node-files'
import type { LocalNode } from '../nodes/local'
import type { ProcessTable } from '../nodes/process-table'
import { createNodeRegistry, type NodeRegistry, type NodeSource } from '../nodes/registry'
import { createGateway, type Gateway } from './gateway'
import { invitationFor } from './invitation'
import { joinLocally, type LocalClient } from './local-client'
import { serveLocally } from './local-server'
import { localSocketPath } from './local-wire'
import { idFromHostname } from './node-ids'
import { createNodeRows } from './node-rows'
import { createRemoteProcesses } from './remote-processes'
import { capabilityIds, capabilityTools } from './runtime'
import { createTransfers, type Transfers } from './transfer'

const lookMs = 50

const listeningSettings = ['gatewayEnabled', 'gatewayHost', 'gatewayPort', 'gatewayCertificate', 'gatewayKey'] as const

export interface MachinesOptions {
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
export interface Machines {
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

export function createMachines(options: MachinesOptions): Machines {
  const { table, localNode, settings, log } = options
  const rows = createNodeRows(options.database)
  let announcing: NodeJS.Immediate | null = null

  const own = createGateway({
    database: options.database,
    log,
    version: options.version,
    settings,
    dataDir: options.dataDir,
    ...(options.sharedToken !== undefined && { sharedToken: options.sharedToken }),
    ...(options.clock && { clock: options.clock }),
    takenIds: () => [
      registry.localId(),
      ...(options.shellNodes?.nodes() ?? []).map(({ id }) => id),
      ...(options.takenIds?.() ?? []),
    ],
    isKnownSession: (nodeId, sessionId) => table.get(sessionId)?.node === nodeId,
    runningOn: (nodeId) => remote.runningOn(nodeId),
  })
  /** The gateway of another process that serves the nodes of this data folder. */
  let joined: LocalClient | null = null
  /** The local socket through which other processes use the nodes that this one serves. */
  let served: Promise<{ close(): void } | null> | null = null
  const socketPath = localSocketPath(options.dataDir)
  const gateway: Gateway = {
    ...own,
    nodes: () => joined?.nodes() ?? own.nodes(),
    tools: (id) => (joined ?? own).tools(id),
    isConnected: (id) => (joined ?? own).isConnected(id),
    home: (id) => (joined ?? own).home(id),
    invoke: (request) => (joined ?? own).invoke(request),
    preview: (request) => (joined ?? own).preview(request),
    logs: (id, wish) => (joined ?? own).logs(id, wish),
    probe: (id, bins, wish) => (joined ?? own).probe(id, bins, wish),
    async start() {
      const info = await own.start()
      served ??= serveLocally(socketPath, own, log).catch((error: unknown) => {
        log.warn('Other processes cannot use the nodes', { error })
        return null
      })
      await served
      return info
    },
    async stop() {
      const server = await served
      served = null
      server?.close()
      await own.stop()
    },
  }
  const remote = createRemoteProcesses({
    hub: own.hub,
    calls: own.calls,
    table,
    localNode,
    log,
    hasSession: options.hasSession,
    aliasesOf: (nodeId) => rows.get(nodeId)?.aliases ?? [],
  })
  const registry = createNodeRegistry({
    gateway,
    ...(options.shellNodes && { shellNodes: options.shellNodes }),
    settings,
    idFromHostname,
    version: options.version,
    startedAt: (options.clock ?? Date.now)(),
    local: {
      info: localNode.info,
      workspace: () => settings().defaultWorkspace,
      tools: [...new Set(Object.values(capabilityTools).flat())],
      capabilities: capabilityIds,
      running: table.countRunningHere,
    },
  })
  const transfers = createTransfers({
    hub: own.hub,
    ownRoot: (agentId) => join(options.dataDir, 'agents', agentId),
    isLocal: registry.isLocal,
    filesAt: (id) => options.shellNodes?.filesAt(id),
    localWorkspace: () => settings().defaultWorkspace,
    publish: (transfer) => options.publish({ type: 'transfer', transfer }),
    ...(options.clock && { clock: options.clock }),
  })

  // Several things change at once when a node connects; they are published as one event.
  const stopTelling = registry.onChange(() => {
    announcing ??= setImmediate(() => {
      announcing = null
      options.publish(registry.event())
    })
  })

  const invite = async (
    given: { nodeId: string; token: string },
    extra: { role?: string; workspace?: string },
  ): Promise<NodeInvitation> => invitationFor(await gateway.start(), given, extra)

  const startIfNeeded = async (): Promise<void> => {
    if (!settings().gatewayEnabled || rows.list().length === 0) return
    await gateway.start().catch((error: unknown) => log.error('The gateway did not start', { error }))
  }

  /** Resolves when the node is connected or the time is up. */
  const isThere = async (nodeId: string, waitMs: number, signal: AbortSignal): Promise<boolean> => {
    const deadline = performance.now() + waitMs
    while (!gateway.isConnected(nodeId)) {
      signal.throwIfAborted()
      if (performance.now() > deadline) return false
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
    return true
  }

  return {
    registry,
    gateway,
    transfers,
    startIfNeeded,
    async join() {
      joined ??= await joinLocally(socketPath)
      joined?.onChange(() => options.publish(registry.event()))
      return joined !== null
    },
    async untilConnected(nodeId, waitMs, signal) {
      const row = rows.named(nodeId)
      if (!row) return false
      if (!joined && !(await this.join())) await gateway.start()
      return isThere(row.id, waitMs, signal)
    },
    async add(node) {
      // Start first: a token is useless if the gateway cannot listen.
      await gateway.start()
      return invite(gateway.add(node), node)
    },
    async renewToken(nodeId) {
      const node = registry.get(nodeId)
      return invite(gateway.renewToken(nodeId), {
        ...(node?.role && { role: node.role }),
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
      joined?.close()
      await gateway.stop()
      // The database closes next and no window is left, so nothing more may be published.
      stopTelling()
      if (announcing) clearImmediate(announcing)
    },
  }
}
