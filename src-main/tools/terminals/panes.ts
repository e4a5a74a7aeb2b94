import { localShellNode } from '../../nodes/shell/open-node'
import type { ShellNode } from '../../nodes/shell/shell-node'
import type { SharedPane } from '../../nodes/tmux/pane'
import { ToolFailure } from '../tool'

/** The terminal that the agent and the user share in this workspace. */
export function paneOf(node: ShellNode, workspace: string): SharedPane {
  const pane = node.paneFor(workspace)
  if (!pane) throw new ToolFailure('ExecutionFailed', 'There is no tmux pane here')
  return pane
}

/** Whether this is the agent's pane: the one that Deckhand was started in is the user's, and so are all named ones. */
export const isOwnPane = (target: string | undefined, { kind }: ShellNode): boolean =>
  target === undefined && kind !== 'local'

/** The default if no other machine was chosen. */
export const thisMachine: ShellNode = localShellNode({ id: 'local', env: {} })
