import type { Access, Decision } from '../approval/types'
import { type QuestionDraft, questionDraft } from './question'
import { type DispatchCall, find, parse } from './read-call'
import type { ToolContext } from './tool'

/** The question that a call would ask. */
interface QuestionAhead {
  draft: QuestionDraft
  access: Access
  decision: Decision
  gist: string
}

/**
 * The question that a call would ask if it were made now; `null` if it would run or be refused without one. Throws if
 * the call is invalid. Changes nothing.
 */
export async function questionAhead(
  call: DispatchCall,
  context: ToolContext,
  decide: (access: Access) => Promise<Decision>,
): Promise<QuestionAhead | null> {
  const { tool, input } = parse(await find(call, context), call)
  const access = await tool.access(input, context)
  const decision = await decide(access)
  if (decision.verdict !== 'ask') return null
  const diff = tool.preview && (await tool.preview(input, context))
  const editable = access.command !== undefined && tool.withCommand !== undefined
  const draft = questionDraft(call.name, access, decision, editable, diff)
  return { draft, access, decision, gist: tool.gist(input) }
}
