import type { backendCalls } from '../../src-preload/contract/backend-calls'
import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** ssh hosts, containers and tmux. */
export function backendHandlers({ shellNodes, machines }: Engine): HandlersFor<typeof backendCalls> {
  const found = (id: string): NodeInfo => {
    const node = machines.registry.get(id)
    if (!node) throw new Error(`There is no node ${id}`)
    return node
  }
  return {
    'backend.choices': () => shellNodes.choices(),
    'backend.add': async ({ id, place }) => found(await shellNodes.add(place, id)),
    'backend.connect': async ({ id }) => {
      await shellNodes.connect(id)
      return found(id)
    },
    'backend.questions': () => shellNodes.questions.list(),
    'backend.answer': ({ id, answer }) => nothing(shellNodes.questions.answer(id, answer)),
  }
}
