import { z } from 'zod'
import { call, id, read } from './call'
import type { HooksEvent } from './hooks'

/** Hooks that a folder brings. */
export const hookCalls = {
  'hooks.get': read<HooksEvent>()(() => z.strictObject({ sessionId: id })),
  /** `hash`: of the content that the user has seen. */
  'hooks.decide': call<null>()(
    () =>
      z.strictObject({
        folder: z.string().min(1).max(4096),
        hash: z.string().max(100),
        verdict: z.enum(['trust', 'later', 'never', 'ask']),
      }),
    ({ verdict }) =>
      verdict === 'trust'
        ? 'Trust the hooks of this folder? Their commands will be run.'
        : 'Change the trust in hooks?',
  ),
} as const
