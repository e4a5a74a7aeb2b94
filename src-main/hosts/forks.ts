import type * as acp from '@agentclientprotocol/sdk'
import type { Logger } from '../log'
import { type AgentLink, type ForkedSession, HostError } from './agent-link'
import type { HostRows } from './host-rows'

/** A session that branches off another one with the same agent. */
interface Branch {
  sourceId: string
  /** The beginning of the first message that the source's agent has read and that is no part of the branch. */
  replaced: string | null
}

interface Fork {
  made: ForkedSession
  replaced: string | null
}

export type Forks = ReturnType<typeof createForks>

/** Branches whose agents have not started yet. Lost with a restart: such a session is then begun by a hand-over. */
export function createForks(rows: HostRows, log: Logger) {
  const waiting = new Map<string, Branch>()
  return {
    branch: (sourceId: string, branchId: string, replaced: string | null): void =>
      void waiting.set(branchId, { sourceId, replaced }),
    /** What the agent calls the fork; words where there is none, and null where none was wanted. */
    take: async (
      link: AgentLink,
      place: { id: string; workspace: string; agent: string; name: string },
      mcpServers: acp.McpServer[],
    ): Promise<Fork | string | null> => {
      const branch = waiting.get(place.id)
      if (!branch) return null
      const row = rows.find(branch.sourceId)
      const words = `${place.name} cannot branch off its own sessions. A new one was started, and it was told what was said before.`
      if (!row || row.agent !== place.agent || !link.forkSession) {
        waiting.delete(place.id)
        return words
      }
      try {
        const made = await link.forkSession(row.remoteId, place.workspace, mcpServers)
        waiting.delete(place.id)
        return { made, replaced: branch.replaced }
      } catch (error) {
        // It is tried again after the sign-in.
        if (error instanceof HostError && error.signIn) throw error
        waiting.delete(place.id)
        log.info('An agent could not fork a session', { agent: place.agent, error: String(error) })
        return `${place.name} could not branch off its session. A new one was started, and it was told what was said before.`
      }
    },
  }
}
