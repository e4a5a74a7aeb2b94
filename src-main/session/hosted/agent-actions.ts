import { hostedAgentOf } from '../../../src-preload/contract/hosted'
import type { Session } from '../../../src-preload/contract/sessions'
import type { SignInProgram } from '../../hosts/types'
import type { RunnerCore } from '../runner-core'
import { hostedStateOf } from './hosted-state'

/** What can be done with the agent of a session outside its turns. */
export interface AgentActions {
  /** Starts the agent, so that its modes and models are known before the first message. */
  openAgent(sessionId: string): Promise<void>
  /** Returns the program to run in a terminal, if that is how to sign in. */
  signInAgent(sessionId: string, methodId: string): Promise<SignInProgram | null>
}

const longestReplaced = 2_000

/** Starts the agent of a branch with what it knows of the session it branches off. */
export function branchAgent(core: RunnerCore, sourceId: string, messageId: string, branch: Session): void {
  const { hosted, store } = core.options
  const source = store.sessions.get(sourceId)
  const { seq, parts } = store.messages.get(messageId)
  // A different agent gets the transcript instead, and before the first message there is nothing to know.
  if (!hosted || hostedAgentOf(branch.model) === null || branch.model !== source.model || seq === 0) return
  const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
  const read = hosted.hosts.sent(sourceId) >= seq
  hosted.hosts.branch(sourceId, branch.id, read ? text.slice(0, longestReplaced) : null)
}

export const agentActions = (core: RunnerCore): AgentActions => {
  const partsOf = (sessionId: string) => {
    const { hosted, store } = core.options
    const session = store.sessions.get(sessionId)
    if (!hosted || hostedAgentOf(session.model) === null) throw new Error('This session has no agent of its own.')
    return { session, hosts: hosted.hosts, client: hostedStateOf(core, hosted, sessionId).client }
  }
  return {
    openAgent: async (sessionId) => {
      const { session, hosts, client } = partsOf(sessionId)
      await hosts.open(session, client)
      if (!core.live.has(sessionId)) hosts.busy(sessionId, false)
    },
    signInAgent: (sessionId, methodId) => {
      const { session, hosts, client } = partsOf(sessionId)
      return hosts.signIn(session, methodId, client)
    },
  }
}
