import { z } from 'zod'
import { agentId } from './agent-calls'
import { call } from './call'
import type { MemoryHit, MemoryRecall, MemoryState } from './memory'

/** Memory: what is noted, found again, and was recalled. The notes themselves are read and written as an agent's files. */
export const memoryCalls = {
  'memory.state': call<MemoryState>()(z.strictObject({ agentId })),
  'memory.search': call<MemoryHit[]>()(z.strictObject({ agentId, query: z.string().trim().min(1).max(2000) })),
  /** The latest first. */
  'memory.recalls': call<MemoryRecall[]>()(z.strictObject({ agentId })),
} as const
