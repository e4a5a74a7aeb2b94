import { z } from 'zod'
import { id, read } from './call'
import type { SpendingEvent, UsageHistory } from './usage'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'is not a day such as 2026-11-17')

/** What was used, and what it cost. */
export const usageCalls = {
  'usage.spending': read<SpendingEvent>()(() => z.strictObject({ sessionId: id })),
  /** Both days are included. */
  'usage.history': read<UsageHistory>()(() => z.strictObject({ from: day, to: day })),
} as const
