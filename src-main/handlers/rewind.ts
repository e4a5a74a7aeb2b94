import type { rewindCalls } from '../../src-preload/contract/rewind-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** Back to an earlier message, and forward again. */
export function rewindHandlers({ runner }: Engine): HandlersFor<typeof rewindCalls> {
  return {
    'rewind.preview': ({ sessionId, messageId }) => runner.previewRewind(sessionId, messageId),
    'rewind.go': async ({ sessionId, messageId, scope, forced }) =>
      nothing(await runner.rewind(sessionId, messageId, scope, forced)),
    'rewind.undo': async ({ sessionId, rewindId }) => nothing(await runner.undoRewind(sessionId, rewindId)),
  }
}
