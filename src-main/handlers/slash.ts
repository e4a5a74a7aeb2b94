import type { slashCalls } from '../../src-preload/contract/slash-calls'
import type { Engine } from '../engine'
import type { SlashPlace } from '../slash/slash-commands'
import type { HandlersFor } from './handlers'

/** Commands that can be typed into the composer. */
export function slashHandlers(engine: Engine): HandlersFor<typeof slashCalls> {
  return { 'slash.list': ({ sessionId }) => engine.slash.list(placeOf(engine, sessionId)) }
}

export const placeOf = ({ store }: Pick<Engine, 'store'>, sessionId: string): SlashPlace => {
  const { workspace, agentId } = store.sessions.get(sessionId)
  return { sessionId, workspace, agentId }
}
