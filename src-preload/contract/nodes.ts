import type { BackendFacts } from './backends'

/** The machines whose tools this app can use, and what travels between them, as plain data. */

export type NodeRole = 'execution' | 'specialized'

type NodeState =
  | 'connected'
  /** Was connected once and is not now; it comes back by itself when it can. */
  | 'disconnected'
  /** Added, but its command has not been run yet. */
  | 'expected'

export interface NodeInfo {
  /** What tools and paths are prefixed with: `laptop__Bash`, `laptop:/etc/hosts`. */
  id: string
  /** The machine that the app itself runs on. Always connected; it can be renamed and nothing else. */
  local: boolean
  state: NodeState
  role: NodeRole
  /**
   * The execution host that the user chose, or the first by name while that one is away. Models are told which it is; no
   * command is moved by it, and one that names no node runs on this machine.
   */
  primary: boolean
  /** `null` until it has connected once, like everything below that only the node itself can tell. */
  os: 'linux' | 'darwin' | 'windows' | null
  hostname: string | null
  version: string | null
  workspace: string | null
  tools: string[]
  capabilities: string[]
  /** What the node offers beyond what it had when it was added: withheld until the user agrees (`node.approve`). */
  newCapabilities: string[]
  /** Names of environment variables, never values. */
  envKeys: string[]
  /** Programs that were looked for, and whether they are there. */
  bins: Record<string, boolean>
  binsCheckedAt: number | null
  /** Of the last heartbeat. */
  latencyMs: number | null
  address: string | null
  /** Processes of this app's sessions that run there now. */
  processes: number
  addedAt: number
  connectedAt: number | null
  lastSeenAt: number | null
  /** Why it is not connected, in words, where that is known. */
  problem: string | null
  /** Of a place that programs of this machine lead to, such as ssh; others come by the gateway. */
  backend?: BackendFacts
}

/** The door that other machines come in by. */
export interface GatewayInfo {
  enabled: boolean
  /** Such as `ws://127.0.0.1:47615/ws`, or `wss:` where it is encrypted; `null` while nothing listens. */
  url: string | null
  host: string
  port: number
  /** Only programs on this machine can reach it. */
  loopback: boolean
  /** By TLS. Whatever other machines can reach is. */
  encrypted: boolean
  /** What nodes know its certificate by; `null` where an authority vouches for it, or without one. */
  pin: string | null
  /** The name in the user's own certificate. */
  name: string | null
  /** Why it does not listen although it should. */
  problem: string | null
}

/** Shown once: the token is not kept in clear anywhere. */
export interface NodeInvitation {
  nodeId: string
  token: string
  /** To paste into a terminal of the other machine. */
  command: string
  url: string
}

export interface NodeLog {
  nodeId: string
  /** JSON lines, oldest first. */
  lines: string[]
  count: number
  /** The log has more lines than were asked for. */
  truncated: boolean
}

type TransferState = 'starting' | 'running' | 'done' | 'failed'

/** A file on its way. Announced when it starts, a few times a second while it runs, and when it ends. */
export interface Transfer {
  id: string
  source: string
  destination: string
  state: TransferState
  bytes: number
  /** `null` until the source has told. */
  size: number | null
  mime: string | null
  bytesPerSecond: number
  startedAt: number
  endedAt: number | null
  error: string | null
  /** The call that asked for it; `null` when the user did. */
  sessionId: string | null
  callId: string | null
}

export type NodesEvent =
  | { type: 'nodes'; nodes: NodeInfo[]; gateway: GatewayInfo }
  | { type: 'transfer'; transfer: Transfer }
