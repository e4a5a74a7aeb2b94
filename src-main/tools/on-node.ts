import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { Access } from '../approval/types'
import { GatewayError } from '../gateway/errors'
import type { Gateway } from '../gateway/gateway'
import type { NodeRegistry } from '../nodes/registry'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from './tool'

interface Placed {
  /** `null` for this machine. */
  node: string | null
  input: unknown
}

/**
 * A tool that also works on other machines, by an optional `node`. The property is in the schema only while there is
 * another machine to name, so that it costs nothing where there is none.
 */
export function onNode(name: string, tool: Tool, registry: NodeRegistry, gateway: Gateway): Tool<Placed> {
  const place = (context: ToolContext, node: string): ToolContext => ({
    ...context,
    workspace: registry.get(node)?.workspace ?? '/',
  })
  const find = (id: string): NodeInfo => {
    const node = registry.get(id)
    if (node?.state === 'connected') return node
    const there = registry.list().filter(({ state }) => state === 'connected')
    const why = node ? 'is not connected' : 'is not known'
    throw new ToolFailure('NotFound', `Node ${id} ${why}. Connected: ${there.map((each) => each.id).join(', ')}.`)
  }

  return {
    description: tool.description,
    get schema() {
      const others = registry.others().filter(({ tools }) => tools.includes(name))
      if (others.length === 0) return tool.schema
      const properties = { ...(tool.schema.properties as object), node: { type: 'string', enum: others.map(({ id }) => id) } }
      return { ...tool.schema, properties }
    },
    parse(raw) {
      const given = typeof raw === 'object' && raw !== null && 'node' in raw ? raw.node : undefined
      if (given === undefined || given === null) return { node: null, input: tool.parse(raw) }
      if (typeof given !== 'string') throw new ToolFailure('InvalidArgs', '`node`: must be the name of a node')
      const { node: _, ...rest } = raw as { node: unknown }
      const input = tool.parse(rest)
      return { node: find(given).local ? null : given, input }
    },
    async access({ node, input }, context): Promise<Access> {
      if (node === null) return tool.access(input, context)
      return { ...(await tool.access(input, place(context, node))), node }
    },
    gist: ({ node, input }) => (node === null ? tool.gist(input) : `${node}: ${tool.gist(input)}`),
    readOnly: tool.readOnly,
    ...(tool.preview && {
      // The files of another machine cannot be compared from here; the card shows the arguments instead.
      preview: async ({ node, input }: Placed, context: ToolContext) => (node === null ? ((await tool.preview?.(input, context)) ?? []) : []),
    }),
    ...(tool.withCommand && {
      withCommand: ({ node, input }: Placed, command: string) => ({ node, input: tool.withCommand?.(input, command) }),
    }),
    run: ({ node, input }, context) =>
      node === null ? tool.run(input, context) : runRemote(gateway, { nodeId: node, tool: name, args: input as Record<string, unknown> }, context),
  }
}

/** Runs a tool of another machine, as if it were one of ours. */
export async function runRemote(
  gateway: Gateway,
  call: { nodeId: string; tool: string; args: Record<string, unknown> },
  context: ToolContext,
): Promise<ToolResult> {
  try {
    const outcome = await gateway.invoke({
      ...call,
      sessionId: context.sessionId,
      signal: context.signal,
      resultBytes: context.resultBytes,
      ...(context.env && { env: context.env }),
      onShow: context.show,
    })
    const shown = outcome.display ? { display: outcome.display } : {}
    if (outcome.ok) return { content: outcome.content, ...shown }
    throw new ToolFailure(outcome.kind, outcome.error, { ...(outcome.content && { content: outcome.content }), ...shown })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    throw new ToolFailure(error.code === 404 ? 'NotFound' : error.code === 504 ? 'Timeout' : error.code === 403 ? 'PermissionDenied' : 'ExecutionFailed', error.message)
  }
}
