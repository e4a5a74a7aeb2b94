import type { hookCalls } from '../../src-preload/contract/hook-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** Hooks that a folder brings. */
export function hookHandlers({ hooks, store }: Engine): HandlersFor<typeof hookCalls> {
  return {
    'hooks.get': async ({ sessionId }) => ({
      type: 'hooks',
      project: await hooks.projects.look(store.sessions.get(sessionId).workspace),
    }),
    'hooks.decide': async ({ folder, hash, verdict }) => nothing(await hooks.projects.decide(folder, hash, verdict)),
  }
}
