import type { AnswerScope, Question } from './approval'
import type { Content } from './content'
import type { FileDiff } from './file-diff'
import type { Blocked } from './sandbox'
import type { ApprovalMode } from './sessions'
import type { SubAgentDisplay } from './subagents'

export type ToolErrorKind =
  | 'NotFound'
  | 'InvalidArgs'
  | 'ExecutionFailed'
  | 'PermissionDenied'
  | 'FileNotFound'
  | 'InvalidPath'
  | 'Timeout'

export interface ToolCall {
  id: string
  sessionId: string
  messageId: string
  /** The id the provider gave, which its result must carry. */
  providerId: string
  /** The name under which the model called it. */
  name: string
  /** The arguments as the model sent them: a JSON text that may be malformed. */
  arguments: string
  /** One line for the card: `npm test`, `src/app.ts:10-40`. */
  gist: string
  state: ToolState
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  /** Why it ran without asking, or who allowed it. */
  grant: Grant | null
}

export type ToolState =
  | { status: 'pending' }
  | { status: 'awaiting'; question: Question }
  | { status: 'running'; display?: Display; progress?: string }
  | { status: 'done'; content: Content[]; display?: Display }
  | { status: 'failed'; error: { kind: ToolErrorKind; message: string }; content: Content[]; display?: Display }
  | { status: 'denied'; message: string }
  | { status: 'aborted'; message: string; display?: Display }

export type ToolStatus = ToolState['status']

/** What let a call through. */
export type Grant =
  | { by: 'mode'; mode: ApprovalMode; reason: string }
  | { by: 'rule'; ruleId: string; reason: string }
  /** `rehearsed`: it was tried in a copy first. Grants are stored, so the name stays. */
  | { by: 'user'; scope: AnswerScope; edited: boolean; reason: string; rehearsed?: boolean }
  | { by: 'sandbox'; reason: string }
  | { by: 'harmless'; reason: string }
  /** A hosted agent ran it by itself and did not ask. */
  | { by: 'agent'; reason: string }

/** How a result is shown; the model never sees it. */
export type Display =
  | {
      type: 'process'
      processId: string
      command: string
      exitCode?: number | null
      tail?: string
      bytes?: number
      /** The terminal of the editor that it ran in, which knows it by this name while it is connected. */
      clientTerminal?: string
      /** It ran in the session's cage, since nobody was asked about it. */
      caged?: 'read' | 'write'
      /** What it ran into, where it ran in a sandbox. */
      blocked?: Blocked
      /** Files it made there that make something run later by themselves. */
      planted?: string[]
    }
  | { type: 'file'; path: string; startLine: number; lines: number; text: string; truncated?: boolean }
  | { type: 'diff'; files: FileDiff[] }
  /** `listing`: what a folder holds, rather than what was looked for. */
  | { type: 'matches'; rows: { path: string; line?: number; text?: string }[]; total: number; listing?: true }
  | { type: 'todo'; items: TodoItem[] }
  | { type: 'image'; path: string; mimeType: string; data: string }
  | { type: 'answer'; question: string; answer: string }
  | { type: 'plan'; plan: string; verdict: 'approved' | 'changes' | 'rejected' }
  | SubAgentDisplay
  | { type: 'text'; text: string }

export interface TodoItem {
  text: string
  status: 'pending' | 'active' | 'done'
}
