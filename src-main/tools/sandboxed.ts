import type { Access, Decision } from '../approval/types'
import type { ToolContext, ToolResult } from './tool'

/** A call that was decided on as one inside the sandbox stays there, unless what was allowed is to leave it. */
export function settlePlace(context: ToolContext, access: Access, { leaves, contained }: Decision): void {
  if (!access.sandboxed || leaves) delete context.sandbox
  else context.sandbox?.open(contained?.writable ?? [])
}

/** Tells the user and the model what a command that failed in the sandbox ran into. */
export function explained(result: ToolResult, { sandbox }: ToolContext): ToolResult {
  const { display } = result
  if (!sandbox || display?.type !== 'process' || display.exitCode === undefined || display.exitCode === 0) return result
  const blocked = sandbox.explain(display.tail ?? '')
  if (!blocked) return result
  const text = `[sandbox] ${blocked.text}, which the sandbox of this session does not allow. The user can run it again outside from its card. Do not look for a way around it.`
  return { ...result, content: [...result.content, { type: 'text', text }], display: { ...display, blocked } }
}
