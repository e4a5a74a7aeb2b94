import { z } from 'zod'
import { call, id, read } from './call'
import type { RewindPreview } from './rewind'

const path = z.string().min(1).max(4096)

/** Back to an earlier message, and forward again. */
export const rewindCalls = {
  /** What would change if the session went back to just before a message of the user's, or just after one of the agent's. */
  'rewind.preview': read<RewindPreview>()(() => z.strictObject({ sessionId: id, messageId: id })),
  /** `forced`: files that go back although something else has changed them as well. */
  'rewind.go': call<null>()(
    () =>
      z.strictObject({
        sessionId: id,
        messageId: id,
        scope: z.enum(['chat', 'files', 'both']),
        forced: z.array(z.strictObject({ workspace: path, path })).max(5000),
      }),
    'Go back to an earlier point of the session?',
  ),
  'rewind.undo': call<null>()(() => z.strictObject({ sessionId: id, rewindId: id }), 'Undo a rewind?'),
} as const
