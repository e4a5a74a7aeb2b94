import type { Message, Notice } from '../../src-preload/contract/messages'
import type { RunnerCore } from './runner-core'

/** Adds a message of the app's own to a session: something that happened, for the user and the agent to read. */
export const addNotice = (core: RunnerCore, sessionId: string, notice: Notice): Message => {
  const message = core.options.store.messages.append({ sessionId, role: 'system', parts: [{ type: 'notice', notice }] })
  core.options.publish({ type: 'message', message })
  return message
}
