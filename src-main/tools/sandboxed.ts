import type { Content } from '../../src-preload/contract/content'
import type { Display } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import type { SandboxedCall } from '../sandbox/sandbox'
import type { ToolContext, ToolResult } from './tool'

/** A call that was decided on as sandboxed stays in the sandbox, unless leaving it was what was allowed. */
export function settlePlace(context: ToolContext, access: Access, { leaves, contained }: Decision): void {
  if (!access.sandboxed || leaves) delete context.sandbox
  else context.sandbox?.open(contained?.writable ?? [])
}

type AfterStay = Pick<Extract<Display, { type: 'process' }>, 'blocked' | 'planted'>

/** Tells the user and the model what a sandboxed command ran into, and which files it left that run by themselves. */
export async function explained(result: ToolResult, { sandbox }: ToolContext): Promise<ToolResult> {
  const { display } = result
  if (!sandbox || display?.type !== 'process' || display.exitCode === undefined) return result
  const found = await lookAfter(sandbox, display.exitCode, display.tail ?? '')
  const words = sandboxWords(found).map((text): Content => ({ type: 'text', text }))
  return { ...result, content: [...result.content, ...words], display: { ...display, ...found } }
}

/** What an ended command ran into, and what it left behind. */
export async function lookAfter(sandbox: SandboxedCall, exitCode: number | null, tail: string): Promise<AfterStay> {
  const blocked = exitCode === 0 ? null : sandbox.explain(tail)
  const planted = await sandbox.planted()
  return { ...(blocked && { blocked }), ...(planted.length > 0 && { planted }) }
}

/** The same for the model. */
export function sandboxWords({ blocked, planted }: AfterStay): string[] {
  const lines = [
    ...(blocked
      ? [
          `${blocked.text}, which the sandbox of this session does not allow. The user can run it again outside from its card. Do not look for a way around it.`,
        ]
      : []),
    ...(planted
      ? [`It made ${planted.join(', ')}, which may run something by itself outside. The user is told of it.`]
      : []),
  ]
  return lines.map((line) => `[sandbox] ${line}`)
}
