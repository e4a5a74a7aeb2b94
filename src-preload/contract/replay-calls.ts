import { z } from 'zod'
import { boxed, id, read } from './call'
import type { Cast, Replay } from './replay'

/** Sessions played again. */
export const replayCalls = {
  /** Without what the terminals showed. */
  'replay.get': read<Replay>()(() => z.strictObject({ sessionId: id })),
  'replay.read': read<Cast>()(() => z.strictObject({ processId: id })),
  /** Asks where to save one HTML file that needs nothing else, and answers with its path, or null. */
  'replay.export': boxed<string | null>()(() => z.strictObject({ sessionId: id })),
} as const
