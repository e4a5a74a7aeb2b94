import type { Content } from '../../src-preload/contract/content'
import type { TurnError } from '../../src-preload/contract/messages'
import type { ToolDefinition } from '../tools/tool'
import type { TokenUsage } from './usage'

export type ModelMessage =
  | { role: 'user'; content: Content[] }
  | { role: 'assistant'; text: string; calls: ModelCall[] }
  | { role: 'tool'; callId: string; name: string; content: Content[]; isError: boolean }

export interface ModelCall {
  id: string
  name: string
  /** JSON text as the model wrote it; may be malformed. */
  arguments: string
  /** Why it is not run; the model reads this in place of a result. */
  refused?: string
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
  | ({ type: 'usage' } & TokenUsage)
  | { type: 'end'; reason: 'stop' | 'length' | 'refused' }
  | {
      type: 'error'
      error: TurnError
      /** How long the provider asks to be left alone. */
      retryAfterMs?: number
    }

/** `alive` for any bytes, such as those that hold a connection open; `working` for a part of the answer, told later. */
export type OnActivity = (sign: 'alive' | 'working') => void

/** A model that answers. The stream never throws: `end` or `error` is its last event, and an abort ends it with neither. */
export interface Model {
  stream(request: ModelRequest, onActivity?: OnActivity): AsyncIterable<ModelEvent>
}
