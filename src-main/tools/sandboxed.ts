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

/** What an ended command ran into, and what it left behind. */
type Aftermath = Pick<Extract<Display, { type: 'process' }>, 'blocked' | 'planted'>

/**
 * Tells the user and the model what a sandboxed command ran into, and which files it left that can run on their own.
 */
export async function explained(result: ToolResult, context: ToolContext): Promise<ToolResult> {
  const { sandbox } = context
  const display = result.display && showsCage(result.display, context)
  if (!sandbox || display?.type !== 'process') return result
  if (display.exitCode === undefined) return { ...result, display }
  const found = await lookAfter(sandbox, display.exitCode, display.tail ?? '')
  // For a caged command, the model is told once it is known whether it may run outside.
  const told: Aftermath = sandbox.caged ? { planted: found.planted } : found
  const words = sandboxWords(told, sandbox.caged !== undefined).map((text): Content => ({ type: 'text', text }))
  return { ...result, content: [...result.content, ...words], display: { ...display, ...found } }
}

/** Finds out what an ended command ran into and left behind. */
export async function lookAfter(sandbox: SandboxedCall, exitCode: number | null, tail: string): Promise<Aftermath> {
  const blocked = exitCode === 0 ? null : sandbox.explain(tail)
  const planted = await sandbox.planted()
  return { ...(blocked && { blocked }), ...(planted.length > 0 && { planted }) }
}

/** The same, in words for the model. */
export function sandboxWords({ blocked, planted }: Aftermath, caged = false): string[] {
  const where = caged ? 'the cage, where commands run that nobody was asked about,' : 'the sandbox of this session'
  const lines = [
    ...(blocked
      ? [
          `${blocked.text}, which ${where} does not allow. The user can run it again outside from its card. Do not look for a way around it.`,
        ]
      : []),
    ...(planted
      ? [`It made ${planted.join(', ')}, which may run something by itself outside. The user is told of it.`]
      : []),
  ]
  return lines.map((line) => `[${caged ? 'cage' : 'sandbox'}] ${line}`)
}

/** Marks on the card that the command ran in the cage. */
export const showsCage = (display: Display, { sandbox }: ToolContext): Display =>
  sandbox?.caged && display.type === 'process' ? { ...display, caged: sandbox.caged } : display

/** Whether it failed because of the cage. */
export const isBlockedInCage = ({ display }: ToolResult): boolean =>
  display?.type === 'process' && display.caged !== undefined && display.blocked !== undefined

export const blockedWords = ({ display }: ToolResult): string =>
  display?.type === 'process' ? (display.blocked?.text ?? '') : ''

/** For the model: why a command failed in the cage, and what became of it. */
export function cageNote(blocked: string, outcome: 'allowed' | 'denied' | 'nobody', said?: string): Content {
  const first = `Nobody was asked about this command, so it ran in a cage: read-only (or with only the workspace writable), without network and secrets.`
  const rest = {
    allowed: `There it failed: ${blocked}. The user let it run outside; the output above is from there.`,
    denied: `It failed there: ${blocked}. The user did not let it run outside${said ? ` and says: ${said}` : '. Do not look for a way around that; go on without it, or ask what to do instead'}.`,
    nobody: `It failed there: ${blocked}. It cannot run outside, since nobody is there to ask. Do not look for a way around that.`,
  }
  return { type: 'text', text: `[cage] ${first} ${rest[outcome]}` }
}
