import { z } from 'zod'
import type { NodeLog } from '../../../src-preload/contract/nodes'
import type { Gateway } from '../../gateway/gateway'
import type { NodeRegistry } from '../../nodes/registry'
import type { ShellNodes } from '../../nodes/shell/shell-nodes'
import { inputShape } from '../input'
import { type ObjectTool, present } from '../object-tool'
import { type ToolContext, ToolFailure } from '../tool'

interface NodeToolDeps {
  registry?: NodeRegistry | null
  gateway?: Gateway | null
  /** Nodes that are reached through local programs; their log is that of the connection. */
  shellNodes?: Pick<ShellNodes, 'get' | 'logs'> | null
  /** The last lines of the app's own log, which is the log of the local node. */
  localLog?: ((lines: number) => Promise<{ lines: string[]; truncated: boolean }>) | null
}

const defaultLines = 100
const mostLines = 5000

const logsShape = inputShape(() =>
  z.object({
    nodeId: z.string().optional().describe('Needed when several nodes are connected'),
    lines: z.number().optional().describe('Default 100, at most 5000'),
  }),
)
const noArguments = inputShape(() => z.object({}))

export function nodeInfoTools(deps: NodeToolDeps) {
  const quiet = (_: unknown, { workspace }: ToolContext) =>
    ({ action: 'read', node: 'gsv', cwd: workspace, workspace, toolKey: 'node.read' }) as const

  const connected = (): string[] =>
    present(deps.registry)
      .list()
      .filter(({ state }) => state === 'connected')
      .map(({ id }) => id)

  /** The requested node, which has to be connected. */
  const chosen = (nodeId: string | undefined): string => {
    const ids = connected()
    const names = ids.length > 0 ? `Connected: ${ids.join(', ')}` : 'None is connected'
    if (nodeId !== undefined) {
      const found = present(deps.registry).get(nodeId)
      if (found?.state === 'connected') return found.id
      throw new ToolFailure('NotFound', `No node ${JSON.stringify(nodeId)} is connected. ${names}`)
    }
    const [only] = ids
    if (only !== undefined && ids.length === 1) return only
    throw new ToolFailure(
      'InvalidArgs',
      ids.length > 1 ? `\`nodeId\` is required when several nodes are connected. ${names}` : 'No node is connected',
    )
  }

  const logs: ObjectTool<ReturnType<typeof logsShape.parse>> = {
    description: 'The last lines of the log of a node.',
    ...logsShape,
    readOnly: true,
    access: quiet,
    gist: ({ nodeId, lines }) => [nodeId, lines].filter((part) => part !== undefined).join(' '),
    async execute({ nodeId, lines = defaultLines }): Promise<NodeLog> {
      const id = chosen(nodeId)
      const count = Math.min(mostLines, Math.max(1, Math.trunc(lines)))
      if (deps.shellNodes?.get(id)) return deps.shellNodes.logs(id, count)
      if (!present(deps.registry).isLocal(id)) return present(deps.gateway).logs(id, { lines: count })
      const { lines: found, truncated } = await present(deps.localLog)(count)
      return { nodeId: id, lines: found, count: found.length, truncated }
    },
  }

  const list: ObjectTool<object> = {
    description: 'List the machines whose tools can be used, with state, system, role and capabilities.',
    ...noArguments,
    readOnly: true,
    access: quiet,
    gist: () => 'nodes',
    async execute() {
      const nodes = present(deps.registry)
        .list()
        .map(({ id, local, state, role, primary, os, hostname, workspace, capabilities }) => ({
          id,
          ...(local && { local }),
          state,
          role,
          ...(primary && { primary }),
          os,
          hostname,
          workspace,
          capabilities,
        }))
      return { nodes, count: nodes.length }
    },
  }

  return { logs, list }
}
