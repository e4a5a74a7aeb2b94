import { call } from './bridge'
import { load } from './load'
import { focusProcess } from './navigate'
import { attempt } from './toasts'

/** What the window asks of agents of other makers. */

export const loadAgents = () => attempt(load('hosted.list', {}))

/** What is known of the agent that plays a session. */
export const loadHosted = (sessionId: string) => attempt(load('hosted.status', { sessionId }))

/** Starts the agent of a session, for what can be chosen of it. */
export const openAgent = (sessionId: string) => attempt(call('hosted.open', { sessionId }))

export const chooseOption = (sessionId: string, optionId: string, value: string) =>
  attempt(call('hosted.choose', { sessionId, optionId, value }))

/** Whether an agent runs in the sandbox from its next start on. */
export const setCage = (agent: string, on: boolean) => attempt(call('hosted.setCage', { agent, on }))

export const allowHost = (agent: string, host: string) => attempt(call('hosted.allowHost', { agent, host }))

export const signIn = (sessionId: string, methodId: string) =>
  attempt(
    call('hosted.signIn', { sessionId, methodId }).then((processId) => {
      if (processId !== null) focusProcess(processId)
    }),
  )
