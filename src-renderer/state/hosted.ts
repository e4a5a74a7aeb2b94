import { call } from './bridge'
import { load } from './load'
import { focusProcess } from './navigate'
import { attempt } from './toasts'

/** Calls about hosted agents. */

export const loadAgents = () => attempt(load('hosted.list', {}))

/** Loads the state of a session's agent. */
export const loadHosted = (sessionId: string) => attempt(load('hosted.status', { sessionId }))

/** Starts a session's agent, so that its options are known. */
export const openAgent = (sessionId: string) => attempt(call('hosted.open', { sessionId }))

export const chooseOption = (sessionId: string, optionId: string, value: string) =>
  attempt(call('hosted.choose', { sessionId, optionId, value }))

/** Sets whether an agent runs in the sandbox from its next start on. */
export const setCage = (agent: string, on: boolean) => attempt(call('hosted.setCage', { agent, on }))

export const allowHost = (agent: string, host: string) => attempt(call('hosted.allowHost', { agent, host }))

export const signIn = (sessionId: string, methodId: string) =>
  attempt(
    call('hosted.signIn', { sessionId, methodId }).then((processId) => {
      if (processId !== null) focusProcess(processId)
    }),
  )
