import type { Content } from '../../src-preload/contract/content'
import type { Display, ToolErrorKind } from '../../src-preload/contract/tool-calls'

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
