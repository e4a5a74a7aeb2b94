import type { MemoryDeps } from './memory'
import { readNotes } from './notes'
import type { MemoryRows } from './rows'

const batch = 8

interface NoteIndexDeps extends Pick<MemoryDeps, 'files' | 'embedder' | 'publish' | 'log'> {
  rows: MemoryRows
  isClosed(): boolean
}

/** Keeps the passages and vectors of each agent as its notes are now. */
export function createNoteIndex({ files, embedder, publish, log, rows, isClosed }: NoteIndexDeps) {
  const refreshing = new Map<string, Promise<void>>()
  const embedding = new Map<string, Promise<void>>()
  let modelKnown = false

  /** One refresh at a time per agent; a call during a refresh gets its own refresh afterwards. */
  const refresh = (agentId: string): Promise<void> => {
    const look = async (): Promise<void> => {
      if (isClosed()) return
      if (!modelKnown) rows.expectModel(embedder.model)
      modelKnown = true
      const different = await readNotes(agentId, files, rows, log)
      if (isClosed()) return
      if (different) publish({ type: 'memory', agentId })
      if (!embedder.problem && !embedding.has(agentId) && rows.pending(agentId) > 0) {
        const work = embedAll(agentId)
          .catch((error: unknown) => {
            if (!isClosed()) log.error('Indexing the memory failed', { agentId, error })
          })
          .finally(() => embedding.delete(agentId))
        embedding.set(agentId, work)
      }
    }
    const before = refreshing.get(agentId) ?? Promise.resolve()
    const turn = before.then(look, look)
    refreshing.set(agentId, turn)
    return turn
  }

  const embedAll = async (agentId: string): Promise<void> => {
    for (let todo = rows.unembedded(agentId, batch); todo.length > 0; todo = rows.unembedded(agentId, batch)) {
      const vectors = await Promise.all(
        todo.map(async ({ id, context, text }) => ({
          id,
          vector: await embedder.embed(context ? `${context}: ${text}` : text, 'later'),
        })),
      )
      if (isClosed()) return
      rows.setVectors(vectors)
    }
    publish({ type: 'memory', agentId })
  }

  return {
    refresh,
    embedding: (agentId: string): Promise<void> | undefined => embedding.get(agentId),
    settled: async (): Promise<void> => {
      await Promise.allSettled([...refreshing.values(), ...embedding.values()])
    },
  }
}
