import type { FileDiff } from '../../../src-preload/contract/file-diff'
import { GatewayError } from '../../gateway/errors'
import type { Gateway } from '../../gateway/gateway'
import type { InvokeOutcome } from '../../gateway/invoke'
import { isRecord } from '../../is-record'
import { translateErrors } from '../object-tool'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tool'

/** A tool on another machine. */
interface RemotePlace {
  gateway: Gateway
  nodeId: string
  /** The node's own name for it. */
  name: string
  /** The node's own folder; relative paths start there. */
  workspace(): string
}

/**
 * The same tool on another machine: arguments are parsed and judged here, like those of the local one, and run there.
 */
export function remoteTool<Input>(base: Tool<Input>, place: RemotePlace): Tool<Input> {
  const { preview, ...here } = base
  return {
    ...here,
    access: async (input, context) => ({
      ...(await base.access(input, { ...context, workspace: place.workspace(), sandbox: undefined })),
      // The sandbox and its trials only work on this machine.
      triable: false,
    }),
    ...(preview && { preview: (input, context) => previewThere(place, input as Record<string, unknown>, context) }),
    run: (input, context) => runThere(place, input as Record<string, unknown>, context),
  }
}

/** A tool that only its node knows: its effects are unknown, so it is allowed by name. */
export function foreignTool(place: RemotePlace, description: string, schema: Record<string, unknown>): Tool {
  return {
    description,
    schema: { type: 'object', properties: {}, ...schema },
    foreignSchema: true,
    parse(raw) {
      if (isRecord(raw)) return raw
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
  const outcome = await translateErrors(() =>
    place.gateway.invoke({
      ...requestOf(place, args, context),
      resultBytes: context.resultBytes,
      env: context.env,
      onShow: context.show,
    }),
  )
  const { display, content } = settled(outcome)
  return { content, display }
}

/** Made by the node, since its files are not here; without a preview if it cannot make one. */
async function previewThere(
  place: RemotePlace,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<FileDiff[]> {
  const asked = place.gateway.preview(requestOf(place, args, context)).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 504) return null
    throw error
  })
  const outcome = await translateErrors(() => asked)
  const display = outcome && settled(outcome).display
  return display?.type === 'diff' ? display.files : []
}

const requestOf = ({ nodeId, name }: RemotePlace, args: Record<string, unknown>, context: ToolContext) => ({
  nodeId,
  tool: name,
  args,
  sessionId: context.sessionId,
  signal: context.signal,
})

function settled(outcome: InvokeOutcome): Extract<InvokeOutcome, { ok: true }> {
  if (outcome.ok) return outcome
  const { display, content } = outcome
  throw new ToolFailure(outcome.kind, outcome.error, { content, display })
}
