import type { ToolStatus } from './tool-calls'

/** One call of a sub-agent's, as its card lists it. */
export interface SubAgentStep {
  name: string
  gist: string
  status: ToolStatus
}

/** What a sub-agent has done so far. */
export interface SubAgentDisplay {
  type: 'subagent'
  /** Its own session, which can be opened and stopped. */
  sessionId: string
  task: string
  /** The latest ones. */
  steps: SubAgentStep[]
  /** How many there were in all. */
  total: number
  tokens: number
  /** Null if the price is not known. */
  cost: number | null
  /** Its last words, once it has said them. */
  answer?: string
}
