import type { BackendPlace } from '../../../src-preload/contract/backends'
import type { LocalNode } from '../local'
import type { Node, NodeProcess } from '../node'
import { createTmuxNode } from '../tmux/tmux-node'
import { createDirectNode } from './direct-node'
import { type HostFacts, hostFacts } from './host-facts'
import { openShellNode, type ShellNodeOptions, sessionNameFor } from './open-node'
import type { ShellNode } from './shell-node'

/** A machine that a shell leads to and that can be used now. */
export interface ConnectedNode extends Node, ShellNode {
  readonly facts: HostFacts
  /** The session of tmux that its terminals run in; `null` where they are programs of the connection. */
  readonly session: string | null
  /** Takes up a process that went on there; `null` where nothing is there of it, and where nothing ever goes on. */
  resume(process: { id: string; pid: number; logPath: string }): Promise<NodeProcess | null>
  /** What it starts from now on belongs to a node of this name. */
  rename(id: string): void
}

/**
 * Opens the way to a machine and looks around. Its terminals run in tmux where there is one, unless `passing`: nobody will
 * come back to them. Throws `NodeError`, and then leaves nothing open.
 */
export async function connectShellNode(
  place: BackendPlace,
  options: ShellNodeOptions & { localNode: LocalNode; passing: boolean; onOutOfReach(processId: string): void },
): Promise<ConnectedNode> {
  const opened = await openShellNode(place, options)
  const { shell } = opened
  try {
    const facts = await hostFacts(shell, place.kind)
    const parts = { ...options, shell, info: facts }
    const session = options.passing || !opened.kind.endsWith('-tmux') ? null : sessionOf(place, shell.label, options)
    const tmux = session === null ? null : createTmuxNode({ ...parts, session })
    const node: Node = tmux ?? createDirectNode(parts)
    let { id } = options
    return {
      ...opened,
      get id() {
        return id
      },
      role: 'execution',
      ...(node.outlives && { outlives: true }),
      facts,
      session,
      info: node.info,
      start: node.start,
      resume: async (process) => (await tmux?.resume(process)) ?? null,
      rename(name) {
        id = name
      },
      async close() {
        await node.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

function sessionOf(place: BackendPlace, label: string, { owner }: ShellNodeOptions): string {
  return typeof place.tmux === 'string' ? place.tmux : sessionNameFor(label, owner)
}
