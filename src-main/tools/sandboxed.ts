import type { Content } from '../../src-preload/contract/content'
import type { Display } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import type { ToolContext, ToolResult } from './tool'

/** A call that was decided on as one inside the sandbox stays there, unless what was allowed is to leave it. */
export function settlePlace(context: ToolContext, access: Access, { leaves, contained }: Decision): void {
  if (!access.sandboxed || leaves) delete context.sandbox
  else context.sandbox?.open(contained?.writable ?? [])
}

type Shown = Extract<Display, { type: 'process' }>

/** Tells the user and the model what a command in the sandbox ran into, and what it left that runs by itself. */
export async function explained(result: ToolResult, { sandbox }: ToolContext): Promise<ToolResult> {
  const { display } = result
  if (!sandbox || display?.type !== 'process' || display.exitCode === undefined) return result
  const blocked = display.exitCode === 0 ? null : sandbox.explain(display.tail ?? '')
  const planted = await sandbox.planted()
  const shown: Shown = { ...display, ...(blocked && { blocked }), ...(planted.length > 0 && { planted }) }
  return { ...result, content: [...result.content, ...wordsOf(shown)], display: shown }
}

function wordsOf({ blocked, planted }: Shown): Content[] {
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
  return lines.map((line) => ({ type: 'text', text: `[sandbox] ${line}` }))
}
