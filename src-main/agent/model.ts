import type { Content } from '../../src-preload/contract/content'
import type { TurnError } from '../../src-preload/contract/messages'
import type { Effort } from '../../src-preload/contract/models'
import type { ToolDefinition } from '../tools/tool'
import type { TokenUsage } from './usage'

export type ModelMessage =
  | { role: 'user'; content: Content[] }
  | { role: 'assistant'; text: string; calls: ModelCall[]; native?: NativeAnswer }
  | { role: 'tool'; callId: string; name: string; content: Content[]; isError: boolean }

/**
 * What a server wants back of its own answer, word for word: thoughts with their signatures, encrypted ones, and the order
 * of all its parts. Kept with the message, and of use only to whoever wrote it.
 */
export interface NativeAnswer {
  /** The interface, the server and the model that wrote it; see `nativeSource`. */
  from: string
  items: unknown[]
}

export const nativeSource = (api: 'chat' | 'responses' | 'messages', host: string, model: string): string =>
  `${api} ${host} ${model}`

/** What goes back to the server that wrote it; nothing for any other. */
export const itemsFrom = (message: ModelMessage, source: string): unknown[] | undefined =>
  message.role === 'assistant' && message.native?.from === source ? message.native.items : undefined

export interface ModelCall {
  id: string
  name: string
  /** JSON text as the model wrote it; may be malformed. */
  arguments: string
  /** Why it is not run; the model reads this in place of a result. */
  refused?: string
}

/** Thoughts count towards the limit of an answer, so a request leaves this much room for them beside it. */
export const thinkingRoom = 32_000

export interface ModelRequest {
  model: string
  system: string
  messages: ModelMessage[]
  /** Left out of the request when empty: providers refuse an empty list. */
  tools: ToolDefinition[]
  maxOutputTokens: number
  /** How hard to think; the model's own default where this is left out. */
  effort?: Effort
  signal: AbortSignal
}

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** All text so far was this thought, as turned out at its end. */
  | { type: 'was-thought'; text: string }
  /** A call whose arguments are complete. */
  | { type: 'call'; call: ModelCall }
  | ({ type: 'usage' } & TokenUsage)
  /** Once at most, before the end. */
  | { type: 'native'; native: NativeAnswer }
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
  /** It answers by rules, without a provider: nothing is used, and nothing is counted. */
  free?: true
  stream(request: ModelRequest, onActivity?: OnActivity): AsyncIterable<ModelEvent>
}
