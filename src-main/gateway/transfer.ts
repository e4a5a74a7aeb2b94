import type { Transfer } from '../../src-preload/contract/nodes'

export interface TransferRequest {
  /** `{nodeId}:/path` or `gsv:workspace/path`. */
  source: string
  destination: string
  /** Whose own files `gsv:` means. */
  agentId: string
  sessionId: string | null
  callId: string | null
  signal?: AbortSignal
  /** Called a few times a second. */
  onProgress?(transfer: Transfer): void
}

export interface TransferResult {
  source: string
  destination: string
  bytesTransferred: number
  mime?: string
}

/** Files between nodes and the agent's own files. */
export interface Transfers {
  /** Pending until the last byte is in place. Throws `GatewayError` with words for the model. */
  run(request: TransferRequest): Promise<TransferResult>
  cancel(id: string): void
  /** Running ones, and the last few that ended. */
  list(): Transfer[]
}
