import type { ToolCall } from './tool-calls'

/** Characters of one message; a file that it carries may be larger. */
export const longestMessage = 1_000_000

export type Role = 'user' | 'assistant' | 'system'

export type Part =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; durationMs?: number }
  | { type: 'image'; data: string; mimeType: string; name?: string }
  /** `command`: what a slash command says, which the model reads as the user's own words. */
  | { type: 'file'; name: string; path: string; text: string; command?: true }
  | { type: 'call'; callId: string }
  | { type: 'error'; error: TurnError }
  /** A short line of the app's own: a process that ended, what the user typed into a terminal, a compaction. */
  | { type: 'notice'; notice: Notice }

export type Notice =
  /**
   * `text` is written for the model; `forUser` is what people read in its place. `forModel` is what the model reads in
   * place of `text`, where its vocabulary has a form of its own for it.
   */
  | { kind: 'process-exit'; processId: string; text: string; forUser?: string; forModel?: string }
  /** Something that was watched for has happened. */
  | { kind: 'process-watch'; processId: string; text: string; forUser?: string }
  | { kind: 'user-typed'; processId: string; text: string; forUser?: string }
  | { kind: 'compaction'; text: string; summary: string; hiddenCount: number; undone: boolean }
  /** The session went back to this point; `undone`: and forward again. */
  | { kind: 'rewind'; rewindId: string; text: string; forUser: string; undone: boolean }
  | { kind: 'interrupted'; text: string }
  /** In the place of a message, or of a part of it, that cannot be read. */
  | { kind: 'damaged'; text: string }
  /** The turn has made as many steps as one may; the user can let it continue. */
  | { kind: 'limit'; text: string }
  /** Most of what may be spent is spent. */
  | { kind: 'spending'; text: string }
  | { kind: 'event'; text: string; forUser?: string }

export interface Message {
  id: string
  sessionId: string
  /** Order within the session; grows by one. */
  seq: number
  role: Role
  parts: Part[]
  createdAt: number
  /** While the model still writes this message. */
  streaming: boolean
  /** For user messages: sent into a running turn. */
  steer?: boolean
  model?: string
  /** `cost`: null if the price is not known. */
  usage?: { inputTokens: number; outputTokens: number; cachedTokens?: number; cost: number | null }
}

/** A message as the transcript pages it: with the calls that its parts refer to. */
export interface TranscriptPage {
  messages: Message[]
  calls: ToolCall[]
  /** Number of messages in the session, so that the list can size itself before all pages are read. */
  total: number
}

export interface QueuedMessage {
  id: string
  sessionId: string
  text: string
  attachments: Attachment[]
  createdAt: number
}

export interface Attachment {
  name: string
  mimeType: string
  /** Images carry base64, everything else text. */
  data: string
}

type TurnErrorKind =
  | 'auth'
  | 'rate-limit'
  | 'quota'
  | 'context-overflow'
  | 'model-not-found'
  | 'network'
  /** The proxy on the way, or a certificate that is not trusted. */
  | 'proxy'
  | 'certificate'
  | 'timeout'
  | 'cut'
  | 'bad-response'
  | 'server'
  | 'refused'
  /** The next request could cost more than the user allows. */
  | 'cap'
  /** The data folder: its disk is full, its database locked or damaged. */
  | 'storage'
  | 'internal'

/** A failure of a turn, in words that help; `retryable` offers the retry button. */
export interface TurnError {
  kind: TurnErrorKind
  message: string
  hint?: string
  retryable: boolean
}
