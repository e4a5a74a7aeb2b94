import type { backendCalls } from '../../src-preload/contract/backend-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** ssh hosts, containers and tmux. */
export function backendHandlers({ shellNodes }: Engine): HandlersFor<typeof backendCalls> {
  return {
    'backend.choices': () => shellNodes.choices(),
    'backend.add': ({ id, place }) => shellNodes.add(place, id),
    'backend.connect': async ({ id }) => nothing(await shellNodes.connect(id)),
    'backend.questions': () => ({ type: 'backend-questions', questions: shellNodes.questions.list() }),
    'backend.answer': ({ id, answer }) => nothing(shellNodes.questions.answer(id, answer)),
  }
}
