import type { Gateway, InvokeOutcome } from '../gateway/gateway'
import { speaking } from './object-tool'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from './tool'

/** A tool on another machine. */
export interface RemotePlace {
  gateway: Gateway
  nodeId: string
  /** As the node itself calls it. */
  name: string
  /** The node's own folder; relative paths start there. */
  workspace(): string
}

/**
 * The same tool on another machine: arguments are read and judged here, as those of the local one are, and run there. A
 * change is not shown beforehand, since its file is not here.
 */
export function remoteTool<Input>(base: Tool<Input>, place: RemotePlace): Tool<Input> {
  const { preview: _, ...here } = base
  return {
    ...here,
    access: (input, context) => base.access(input, { ...context, workspace: place.workspace() }),
    run: (input, context) => runThere(place, input as Record<string, unknown>, context),
  }
}

/** A tool that only its node knows: what it does is anybody's guess, so it is allowed by its name. */
export function foreignTool(place: RemotePlace, description: string, schema: Record<string, unknown>): Tool {
  return {
    description,
    schema: { type: 'object', properties: {}, ...schema },
    parse(raw) {
      if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw
      throw new ToolFailure('InvalidArgs', 'The arguments must be a JSON object')
    },
    readOnly: false,
    access: () => ({
      action: 'exec',
      node: place.nodeId,
      cwd: place.workspace(),
      workspace: place.workspace(),
      toolKey: `${place.nodeId}.${place.name}`,
    }),
    gist: (input) => JSON.stringify(input).slice(0, 120),
    run: (input, context) => runThere(place, input as Record<string, unknown>, context),
  }
}

async function runThere(place: RemotePlace, args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const outcome: InvokeOutcome = await speaking(() =>
    place.gateway.invoke({
      nodeId: place.nodeId,
      tool: place.name,
      args,
      sessionId: context.sessionId,
      signal: context.signal,
      resultBytes: context.resultBytes,
      ...(context.env && { env: context.env }),
      onShow: context.show,
    }),
  )
  const { display, content } = outcome
  if (outcome.ok) return { content: outcome.content, ...(display && { display }) }
  throw new ToolFailure(outcome.kind, outcome.error, { ...(content && { content }), ...(display && { display }) })
}
