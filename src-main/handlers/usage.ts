import type { usageCalls } from '../../src-preload/contract/usage-calls'
import type { Engine } from '../engine'
import type { HandlersFor } from './handlers'

/** What was used, and what it cost. */
export const usageHandlers = ({ runner, store }: Engine): HandlersFor<typeof usageCalls> => ({
  'usage.spending': ({ sessionId }) => runner.spending(sessionId),
  'usage.history': ({ from, to }) => store.usage.history(from, to),
})
