import type { Content } from '../../src-preload/contract/content'
import type { TurnError } from '../../src-preload/contract/messages'
import type { ToolDefinition } from '../tools/tool'

export type ModelMessage =
  | { role: 'user'; content: Content[] }
  | { role: 'assistant'; text: string; calls: ModelCall[] }
  | { role: 'tool'; callId: string; name: string; content: Content[]; isError: boolean }

export interface ModelCall {
  id: string
  name: string
  /** JSON text as the model wrote it; may be malformed. */
  arguments: string
}

export interface ModelRequest {
  model: string
  system: string
  messages: ModelMessage[]
  /** Left out of the request when empty: providers refuse an empty list. */
  tools: ToolDefinition[]
  maxOutputTokens: number
  /** How hard to think, where the provider knows such a thing. */
  thinking?: 'low' | 'medium' | 'high'
  signal: AbortSignal
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** A call whose arguments are complete. */
  | { type: 'call'; call: ModelCall }
  | { type: 'usage'; inputTokens: number; outputTokens: number; cachedTokens: number }
  | { type: 'end'; reason: 'stop' | 'length' | 'refused' }
  | {
      type: 'error'
      error: TurnError
      /** How long the provider asks to be left alone. */
      retryAfterMs?: number
    }

/**
 * A model that answers. The stream never throws: `end` or `error` is its last event, and an abort ends it with neither.
 * Bytes that keep a connection alive count as a sign of life through `onActivity`.
 */
export interface Model {
  stream(request: ModelRequest, onActivity?: () => void): AsyncIterable<ModelEvent>
}
