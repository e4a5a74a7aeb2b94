import type { instructionCalls } from '../../src-preload/contract/instruction-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** Instructions that come with folders. */
export function instructionHandlers({ instructions, store }: Engine): HandlersFor<typeof instructionCalls> {
  return {
    'instructions.get': async ({ sessionId }) => ({
      type: 'instructions',
      instructions: await instructions.view(sessionId),
    }),
    'instructions.text': ({ sessionId }) => instructions.forPrompt(store.sessions.get(sessionId).workspace),
    'instructions.decide': async ({ sessionId, folder, use }) =>
      nothing(await instructions.decide(sessionId, folder, use)),
    'instructions.allowImport': async ({ sessionId, folder, path }) =>
      nothing(await instructions.allowImport(sessionId, folder, path)),
  }
}
