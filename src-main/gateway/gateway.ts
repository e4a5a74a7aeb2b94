import type { Content, Display, ToolErrorKind } from '../../src-preload/contract/protocol'
import type { GatewayInfo, NodeInfo, NodeLog, NodeRole } from '../../src-preload/contract/nodes'

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
  /** What the text of the result may weigh. */
  resultBytes?: number
  /** Variables that the gate wants in the environment of whatever the call starts. */
  env?: Readonly<Record<string, string>>
  /** What to show while it runs, such as the process that it started. */
  onShow?(display: Display, progress?: string): void
}

/** What the tool itself says. A link that fails is a `GatewayError` instead. */
export type InvokeOutcome =
  | {
      ok: true
      /** The documented result object, as it came over the wire. */
      result: unknown
      /** The same, as a model reads it. */
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

/** The way to other machines. Nothing here asks for permission: the calls come from `dispatch`, which did. */
export interface Gateway {
  info(): GatewayInfo
  /** Resolves when it listens. Called again, it does nothing. */
  start(): Promise<GatewayInfo>
  stop(): Promise<void>
  /** All known nodes but the local one, connected or not. */
  nodes(): NodeInfo[]
  /** Of a connected node, without those that are withheld; empty for any other. */
  tools(nodeId: string): RemoteTool[]
  isConnected(nodeId: string): boolean
  /** Throws `GatewayError`: 503 when the node is not connected or is lost meanwhile, 404 without such a tool. */
  invoke(request: InvokeRequest): Promise<InvokeOutcome>
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
  /** Connected, lost, added, renamed, or with news of itself. Returns the way to stop listening. */
  onChange(listener: () => void): () => void
  onExecEvent(listener: (event: ExecEvent) => void): () => void
}
