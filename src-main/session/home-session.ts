import { isJobKey, mainSessionKey } from '../session-keys'
import type { Store } from './store'

/** The session on whose behalf another works: the parent of a sub-agent, the main session of a job; null for any other. */
export const homeOf = (store: Store, sessionId: string): string | null => {
  const session = store.sessions.find(sessionId)
  if (!session) return null
  if (session.parentId !== null || !isJobKey(session.key)) return session.parentId
  return store.sessions.findByKey(mainSessionKey(session.agentId))?.id ?? null
}
