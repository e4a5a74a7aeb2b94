import type { BackendPlace } from '../../src-preload/contract/backends'
import { createDirectNode } from '../nodes/direct-node'
import type { LocalNode } from '../nodes/local'
import type { Node, NodeProcess } from '../nodes/node'
import { type BackendOptions, type OpenBackend, openBackend } from '../nodes/open-backend'
import { createTmuxNode } from '../nodes/tmux-node'
import { type HostFacts, hostFacts } from './host-facts'

/** A place that can be used now. */
export interface ConnectedBackend {
  backend: OpenBackend
  node: Node
  facts: HostFacts
  /** Takes up a process that went on there; `null` where nothing is there of it, and where nothing ever goes on. */
  resume(process: { id: string; pid: number; logPath: string }): Promise<NodeProcess | null>
  /** What it starts from now on belongs to a node of this name. */
  rename(node: string): void
  close(): Promise<void>
}

/**
 * Opens the way to a place and looks around. Its terminals run in tmux where there is one, unless `passing`: nobody will
 * come back to them. Throws `BackendError`, and then leaves nothing open.
 */
export async function connectBackend(
  place: BackendPlace,
  options: BackendOptions & { localNode: LocalNode; passing: boolean; onOutOfReach(processId: string): void },
): Promise<ConnectedBackend> {
  const backend = await openBackend(place, options)
  try {
    const facts = await hostFacts(backend.reach, place.kind)
    const parts = { ...options, id: options.node, reach: backend.reach, info: facts }
    const session = options.passing ? undefined : backend.pane?.session
    const tmux = session === undefined ? null : createTmuxNode({ ...parts, session })
    const node = tmux ?? createDirectNode(parts)
    return {
      backend,
      node,
      facts,
      resume: async (process) => (await tmux?.resume(process)) ?? null,
      rename(name) {
        Object.assign(backend, { node: name })
        Object.assign(node, { id: name })
      },
      async close() {
        await node.close()
        await backend.close()
      },
    }
  } catch (error) {
    await backend.close()
    throw error
  }
}
