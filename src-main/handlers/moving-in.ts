import type { movingInCalls } from '../../src-preload/contract/moving-in-calls'
import type { Engine } from '../engine'
import type { HandlersFor } from './handlers'

/** Taking over what other agents have. */
export function movingInHandlers({ movingIn }: Engine): HandlersFor<typeof movingInCalls> {
  return {
    'import.state': () => movingIn.tools(),
    'import.preview': () => movingIn.look(),
    'import.take': ({ ids }) => movingIn.take(ids),
  }
}
