import type { Effort } from './models'

/** `plan`: reads only, until the user approves a plan and chooses another mode with it. */
export type ApprovalMode = 'ask' | 'safe' | 'workspace' | 'all' | 'read-only' | 'plan'

/** What all sessions begin with, and jobs run with: nobody may be there to approve a plan. */
export type UsualMode = Exclude<ApprovalMode, 'plan'>

/** What a session may go on with once its plan is approved. */
export type WorkMode = Exclude<ApprovalMode, 'plan' | 'read-only'>

export type SessionStatus = 'idle' | 'running' | 'waiting' | 'interrupted'

export interface Session {
  id: string
  /** Stable name for other sessions and channels, such as `agent:main:main`; empty for ordinary chats. */
  key: string
  /** Whose session it is: the agent whose own files and prompt it works with. */
  agentId: string
  title: string
  /** Set while the title was made from the first message rather than typed by the user. */
  autoTitle: boolean
  workspace: string
  /** `providerId/modelName`, or `guide` for the built-in offline guide. */
  model: string
  toolset: string
  mode: ApprovalMode
  /** Its commands run in a sandbox, where this machine has one. */
  sandbox: boolean
  /** How hard its model should think; null for the model's own default. */
  effort: Effort | null
  parentId: string | null
  /** Shown before all others in the list. */
  pinned: boolean
  /** Put away: shown only when asked for. */
  archived: boolean
  status: SessionStatus
  /** Calls of this session that wait for an answer. */
  waiting: number
  createdAt: number
  updatedAt: number
  usage: Usage
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** In US dollars, for what has a known price; null if there was usage and none of it has. */
  cost: number | null
  /** Tokens, in and out, of models whose price is not known. */
  unpricedTokens: number
  /** Tokens in the last request, for the context meter. */
  contextTokens: number
  contextWindow: number
}

export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cost: 0,
  unpricedTokens: 0,
  contextTokens: 0,
  contextWindow: 0,
}

export interface SearchHit {
  sessionId: string
  sessionTitle: string
  messageId: string
  seq: number
  /** Text around the hit, with the matched words between U+0002 and U+0003. */
  snippet: string
  createdAt: number
}
