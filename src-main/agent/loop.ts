import type { Content, StopReason, TurnError } from '../../src-preload/contract/protocol'
import type { ToolDefinition } from '../tools/tool'
import type { Model, ModelCall, ModelMessage } from './model'

/** What the loop needs of the session that it works for. */
export interface TurnPorts {
  /** The conversation as the model should see it now; asked anew before each request, so steering, notes and compaction
   *  take effect between two requests. */
  messages(): Promise<ModelMessage[]>
  system(): string
  tools: ToolDefinition[]
  readOnly(toolName: string): boolean
  /** Announcements, in order; the session saves and publishes them before it returns. */
  emit(event: LoopEvent): void
  /** Runs a call to its end. Failures come back as content for the model; only an abort or a bug throws. */
  execute(call: ModelCall): Promise<{ content: Content[]; isError: boolean }>
  /** Adds a line to the result of a call that the model has made over and over. */
  remark(call: ModelCall, text: string): void
  /** A user's message came in that this turn should answer before it ends. */
  steered(): boolean
  /** Asks the user whether to go on with a loop that repeats itself. */
  pause(reason: string): Promise<'continue' | 'stop'>
}

export type LoopEvent =
  | { type: 'assistant-start' }
  | { type: 'delta'; kind: 'text' | 'reasoning'; text: string }
  | {
      type: 'assistant-end'
      text: string
      reasoning: string
      reasoningMs: number
      calls: ModelCall[]
      usage: { inputTokens: number; outputTokens: number; cachedTokens: number } | null
      /** Set when the stream broke off; what had come is kept. */
      error?: TurnError
    }
  /** The attempt is void and nothing of it was shown; another begins. */
  | { type: 'discard' }
  | { type: 'waiting'; phase: 'first-byte' | 'idle' | 'retry'; secondsLeft: number; attempt: number }

export interface TurnOptions {
  model: Model
  modelName: string
  maxIterations: number
  maxOutputTokens: number
  firstByteMs: number
  idleMs: number
  /** Attempts at a request before any output has come. */
  attempts: number
  thinking?: 'low' | 'medium' | 'high'
  signal: AbortSignal
}

export interface TurnOutcome {
  reason: StopReason
  iterations: number
  error?: TurnError
}

export type RunTurn = (ports: TurnPorts, options: TurnOptions) => Promise<TurnOutcome>
