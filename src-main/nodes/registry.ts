import { hostname } from 'node:os'
import type { GatewayInfo, NodeInfo, NodesEvent } from '../../src-preload/contract/nodes'
import type { HostInfo } from './node'

/** All machines whose tools can be used, the local one first. */
export interface NodeRegistry {
  /** Local first, then by id. */
  list(): NodeInfo[]
  get(id: string): NodeInfo | undefined
  /** The id of this machine: from its host name unless the user chose another. */
  localId(): string
  /** True for its id, and for `local`. */
  isLocal(id: string): boolean
  /**
   * Where a call goes that names no node, in the GSV vocabulary: the chosen node, otherwise the first by id that is not
   * reached through a shell.
   */
  primary(): NodeInfo
  /** Connected nodes other than the local one. */
  others(): NodeInfo[]
  /** Whether another node was added, connected or not. Asked for every tool of every request. */
  hasOthers(): boolean
  /** The ids of the nodes in use, in the order of the list. Asked for every request. */
  connectedIds(): readonly string[]
  /** The event for the window. */
  event(): Extract<NodesEvent, { type: 'nodes' }>
  onChange(listener: () => void): () => void
}

/** Where other nodes come from. */
export interface NodeSource {
  nodes(): NodeInfo[]
  onChange(listener: () => void): () => void
}

interface RegistryOptions {
  /** The other machines. */
  gateway: NodeSource & { info(): GatewayInfo }
  /** Machines that are reached through local programs. */
  shellNodes?: NodeSource
  local: {
    info(): HostInfo
    workspace(): string
    tools: readonly string[]
    capabilities: readonly string[]
    running(): number
  }
  settings(): { nodeName: string; primaryNode: string }
  idFromHostname(hostname: string): string
  version: string
  startedAt: number
}

export function createNodeRegistry(options: RegistryOptions): NodeRegistry {
  const { gateway, shellNodes, local, settings } = options
  /** The host name may change while the app runs. */
  let named = { host: '', id: '' }
  const ownId = (): string => {
    const host = hostname()
    if (named.host !== host) named = { host, id: options.idFromHostname(host) }
    return named.id
  }
  const localId = (): string => settings().nodeName || ownId()

  const self = (): NodeInfo => {
    const host = local.info()
    return {
      id: localId(),
      local: true,
      state: 'connected',
      role: 'execution',
      primary: false,
      os: host.os,
      hostname: host.hostname,
      version: options.version,
      workspace: local.workspace(),
      tools: [...local.tools],
      capabilities: [...local.capabilities],
      newCapabilities: [],
      envKeys: host.envKeys,
      bins: {},
      binsCheckedAt: null,
      latencyMs: null,
      address: null,
      processes: local.running(),
      addedAt: options.startedAt,
      connectedAt: options.startedAt,
      lastSeenAt: Date.now(),
      problem: null,
    }
  }

  const others = (): NodeInfo[] => [...gateway.nodes(), ...(shellNodes?.nodes() ?? [])]

  /** Computed once until a node comes or goes: nodes are rows of the database. */
  let known: { hasOthers: boolean; connected: readonly string[] } | null = null
  for (const source of [gateway, shellNodes])
    source?.onChange(() => {
      known = null
    })
  const facts = () => {
    if (known) return known
    const all = others()
    const connected = all.flatMap(({ id, state }) => (state === 'connected' ? [id] : [])).sort()
    known = { hasOthers: all.length > 0, connected }
    return known
  }

  const list = (): NodeInfo[] => {
    const all = [self(), ...others().sort((a, b) => (a.id < b.id ? -1 : 1))]
    const hosts = all.filter(({ state, role }) => state === 'connected' && role === 'execution')
    const chosen = hosts.find(({ id }) => id === settings().primaryNode)
    // A machine that the user has just added should not become the default by itself.
    const [first] = hosts.filter(({ backend }) => !backend).sort((a, b) => (a.id < b.id ? -1 : 1))
    const primary = (chosen ?? first)?.id
    return all.map((node) => ({ ...node, primary: node.id === primary }))
  }
  const isLocal = (id: string): boolean => id === 'local' || id === localId()

  return {
    hasOthers: () => facts().hasOthers,
    connectedIds: () => [localId(), ...facts().connected],
    list,
    get: (id) => list().find((node) => (isLocal(id) ? node.local : node.id === id)),
    localId,
    isLocal,
    primary: () => list().find(({ primary }) => primary) ?? self(),
    others: () => others().filter(({ state }) => state === 'connected'),
    event: () => ({ type: 'nodes', nodes: list(), gateway: gateway.info() }),
    onChange(listener) {
      const stops = [gateway.onChange(listener), shellNodes?.onChange(listener)]
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}
