import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { ToolFailure } from '../tool'
import { durationMs } from './duration'

const longestMs = 24 * 3_600_000

/** How long to wait first, under either of two names. */
export const delayFields = {
  delay: z
    .union([z.string(), z.number().min(0)])
    .optional()
    .describe('Wait first: 2s, 500ms, 1m'),
  delay_ms: z.number().int().min(0).optional(),
}

export function readDelay({ delay, delay_ms }: { delay?: string | number; delay_ms?: number }): number {
  if (delay !== undefined && delay_ms !== undefined)
    throw new ToolFailure('InvalidArgs', '`delay` and `delay_ms` say the same: give one of them')
  const ms = delay === undefined ? (delay_ms ?? 0) : durationMs(String(delay))
  if (ms === null || ms > longestMs)
    throw new ToolFailure('InvalidArgs', '`delay` is a duration such as 2s, 500ms or 1m, up to a day')
  return ms
}

/** Rejects with the reason when the call is stopped. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal })
}
