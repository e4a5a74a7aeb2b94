import type { Attachment, Part } from '../../src-preload/contract/messages'
import { commandType } from '../../src-preload/contract/slash'
import type { RunnerCore } from './runner-core'
import type { TurnOrigin } from './session-rows'

interface Saying {
  /** The id that the message had in the queue. */
  id?: string
  /** It goes into the turn that is running. */
  steer?: boolean
  /** What sends it, where it is not the user. */
  origin?: TurnOrigin | null
}

/** Saves a message to the session's model and publishes it. Returns its id. */
export const say = (
  core: RunnerCore,
  sessionId: string,
  text: string,
  attachments: readonly Attachment[],
  { id, steer = false, origin = null }: Saying = {},
): string => {
  const { store, publish } = core.options
  const parts: Part[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...attachments.map(partOf)]
  const message = store.durably(() => {
    store.sessions.autoTitle(sessionId, text || (attachments[0]?.name ?? ''))
    // What is said into a running turn does not change who began it.
    if (!steer) store.sessions.setOrigin(sessionId, origin)
    return store.messages.append({ sessionId, role: 'user', parts, ...(steer && { steer }), ...(id && { id }) })
  })
  publish({ type: 'message', message })
  return message.id
}

export const partOf = ({ name, mimeType, data }: Attachment): Part => {
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType, name }
  return { type: 'file', name, path: '', text: data, ...(mimeType === commandType && { command: true }) }
}
