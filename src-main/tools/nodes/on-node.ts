import type { NodeInfo } from '../../../src-preload/contract/nodes'
import type { Gateway } from '../../gateway/gateway'
import { isRecord } from '../../is-record'
import type { NodeRegistry } from '../../nodes/registry'
import { propertiesOf, type Tool, type ToolContext, ToolFailure } from '../tool'
import { remoteTool } from './remote-tool'

/** The machines that are reached through a shell. */
export interface ShellNodeTools {
  tool(nodeId: string, name: string): Tool | undefined
  /** The node for calls that name none; `null` for this machine. */
  chosen(): string | null
}

interface Placed {
  /** `null` for this machine. */
  node: string | null
  input: unknown
}

/**
 * A tool that also works on other machines, with an optional `node`. The property is in the schema only if another
 * machine was added, so that it costs nothing otherwise. It names none of them: the prompt does, because the schema
 * should stay the same while machines come and go.
 */
export function onNode(
  name: string,
  tool: Tool,
  registry: NodeRegistry,
  gateway: Gateway,
  shellNodes?: ShellNodeTools,
): Tool {
  const there = (nodeId: string): Tool =>
    (registry.get(nodeId)?.backend && shellNodes?.tool(nodeId, name)) ||
    remoteTool(tool, { gateway, nodeId, name, workspace: () => registry.get(nodeId)?.workspace ?? '/' })
  const find = (id: string): NodeInfo => {
    const node = registry.get(id)
    if (node?.state === 'connected') return node
    const connected = registry.list().filter(({ state }) => state === 'connected')
    const why = node ? 'is not connected' : 'is not known'
    throw new ToolFailure('NotFound', `Node ${id} ${why}. Connected: ${connected.map((each) => each.id).join(', ')}.`)
  }

  /** Made once: a session compares it before each request. */
  const withNode: Tool['schema'] = {
    ...tool.schema,
    properties: { ...propertiesOf(tool), node: { type: 'string' } },
  }

  const placed: Tool<Placed> = {
    description: tool.description,
    get schema() {
      return registry.hasOthers() ? withNode : tool.schema
    },
    parse(raw) {
      const given = typeof raw === 'object' && raw !== null && 'node' in raw ? raw.node : undefined
      if (given === undefined || given === null) return { node: shellNodes?.chosen() ?? null, input: tool.parse(raw) }
      if (typeof given !== 'string') throw new ToolFailure('InvalidArgs', '`node`: must be the name of a node')
      const { node: _, ...rest } = isRecord(raw) ? raw : {}
      const input = tool.parse(rest)
      return { node: find(given).local ? null : given, input }
    },
    async access({ node, input }, context) {
      if (node === null) return tool.access(input, context)
      // The gate must not treat it as local.
      return { ...(await there(node).access(input, context)), node }
    },
    gist: ({ node, input }) => (node === null ? tool.gist(input) : `${node}: ${tool.gist(input)}`),
    readOnly: tool.readOnly,
    ...(tool.preview && {
      preview: async ({ node, input }: Placed, context: ToolContext) =>
        (await (node === null ? tool : there(node)).preview?.(input, context)) ?? [],
    }),
    ...(tool.withCommand && {
      withCommand: ({ node, input }: Placed, command: string) => ({ node, input: tool.withCommand?.(input, command) }),
    }),
    run: ({ node, input }, context) => (node === null ? tool : there(node)).run(input, context),
  }
  return placed
}
