import type { memoryCalls } from '../../src-preload/contract/memory-calls'
import type { Engine } from '../engine'
import type { HandlersFor } from './handlers'

/** Memory: what is noted, found again, and was recalled. */
export function memoryHandlers({ agents: { agents, memory }, store }: Engine): HandlersFor<typeof memoryCalls> {
  return {
    'memory.state': ({ agentId }) => memory.state(agents.get(agentId).id),
    'memory.search': ({ agentId, query }) => memory.search(agents.get(agentId).id, { query, limit: 20 }),
    'memory.recalls': ({ agentId }) =>
      memory
        .recalls(agents.get(agentId).id)
        .map((recall) => ({ ...recall, sessionTitle: store.sessions.find(recall.sessionId)?.title ?? null })),
  }
}
