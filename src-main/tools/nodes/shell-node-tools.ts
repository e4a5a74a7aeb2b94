import type { ProcessTable } from '../../nodes/process-table'
import type { ConnectedNode } from '../../nodes/shell/connect-node'
import { type Tool, ToolFailure } from '../tool'
import { createNodeTools } from './node-tools'

/** The tools of a machine that is reached through a shell, by node id. Each call checks whether it is connected. */
export function shellNodeTools(
  id: string,
  find: (id: string) => ConnectedNode | undefined,
  deps: { table: ProcessTable; clock?: () => number },
): Map<string, Tool> {
  const connected = (): ConnectedNode => {
    const found = find(id)
    if (!found) throw new ToolFailure('NotFound', `Node ${id} is not connected`)
    return found
  }
  return createNodeTools(
    {
      id,
      files: () => connected().files,
      far: { workspace: () => connected().facts.workspace, shell: () => connected().facts.shell },
    },
    deps,
  )
}
