import { z } from 'zod'
import { agentId } from './agent-calls'
import { read } from './call'
import type { MemoryHit, MemoryRecall, MemoryState } from './memory'

/** Memory: what is noted, found again, and was recalled. The notes themselves are read and written as an agent's files. */
export const memoryCalls = {
  'memory.state': read<MemoryState>()(() => z.strictObject({ agentId })),
  'memory.search': read<MemoryHit[]>()(() => z.strictObject({ agentId, query: z.string().trim().min(1).max(2000) })),
  /** The latest first. */
  'memory.recalls': read<MemoryRecall[]>()(() => z.strictObject({ agentId })),
} as const
