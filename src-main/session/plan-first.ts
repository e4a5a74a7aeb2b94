import type { Session } from '../../src-preload/contract/sessions'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { submitPlanTool } from '../tools/agents/submit-plan'
import type { QuestionDraft } from '../tools/question'
import type { ToolContext, Toolset } from '../tools/tool'
import type { RunnerCore } from './runner-core'

/** In the manner of each vocabulary. */
const names = new Map([
  ['deckhand', 'SubmitPlan'],
  ['gsv', 'gsv__SubmitPlan'],
])
const planToolName = ({ name }: Pick<Toolset, 'name'>): string => names.get(name) ?? 'submit_plan'

/**
 * The vocabulary of a session that plans first: with a tool that submits the plan, offered until a plan is approved. That
 * nothing else can be changed until then is a matter of the gate.
 */
export function withPlanTool(own: Toolset, isPlanning: (sessionId: string) => boolean): Toolset {
  const name = planToolName(own)
  const { maxResultBytes, maxIterations, cut, exitMessage, whyMissing, renderFailure } = own
  return {
    name: own.name,
    get tools() {
      return new Map([...own.tools, [name, submitPlanTool]])
    },
    offered: (sessionId) =>
      new Set([...(own.offered?.(sessionId) ?? own.tools.keys()), ...(isPlanning(sessionId) ? [name] : [])]),
    whyMissing,
    maxResultBytes,
    maxIterations,
    cut,
    exitMessage,
    renderFailure,
  }
}

/** The prompt, with what a session that plans first has to know. */
export const withPlanWords = (prompt: string, { mode }: Session, toolset: Toolset): string =>
  mode === 'plan' ? `${prompt}\n\n${planWords(planToolName(toolset))}` : prompt

const planWords = (tool: string): string => `Plan first
- The user wants a plan before anything changes. Until they approve one you can only read: every call that would change something is refused, in any way of asking.
- Look at what the task needs, think it through, and ask the user where a choice is theirs. Then call ${tool} with the whole plan and wait.
- They may edit it: what they approve is what holds. Carry it out only then.`

/** Puts a plan to the user: a question like any other, on disk until it is answered. */
export const planQuestion = (
  core: RunnerCore,
  call: ToolCall,
  signal: AbortSignal,
): Required<Pick<ToolContext, 'submitPlan'>> => ({
  submitPlan: async (plan) => {
    const draft: QuestionDraft = {
      kind: 'plan',
      title: 'Review the plan',
      node: 'local',
      reason: 'Nothing changes until you approve it',
      offers: [],
      editable: false,
      plan,
    }
    const answer = await core.questions.ask(call, draft, signal, null)
    if (answer.decision !== 'approve-plan') {
      const note = answer.decision === 'deny' ? (answer.note?.trim() ?? '') : ''
      return { decision: note ? 'changes' : 'rejected', note }
    }
    const { sessionId } = call
    await core.whenWritable(sessionId, signal, () =>
      core.options.store.sessions.update(sessionId, { mode: answer.mode }),
    )
    core.publishSession(sessionId)
    return { decision: 'approved', plan: answer.plan }
  },
})
