import { z } from 'zod'
import { inputShape } from '../input'
import { type Tool, ToolFailure } from '../tool'

/** The longest plan, in characters. */
const longestPlan = 50_000

const shape = inputShape(() =>
  z.object({
    plan: z
      .string()
      .max(longestPlan)
      .refine((plan) => plan.trim() !== '', 'must not be empty')
      .describe('Markdown: what you will change and why, step by step, and how you will check it'),
  }),
)

type SubmitPlanInput = ReturnType<typeof shape.parse>

/** Shows the user a plan and waits until they approve it, want changes or reject it. */
export const submitPlanTool: Tool<SubmitPlanInput> = {
  description: 'Show the user your plan and wait for their approval. Only when you have looked at all that it needs.',
  ...shape,
  readOnly: false,
  access: (_, { workspace }) => ({ action: 'read', node: 'local', workspace, cwd: workspace }),
  gist: ({ plan }) => firstLine(plan),
  async run({ plan }, { submitPlan }) {
    if (!submitPlan) throw new ToolFailure('ExecutionFailed', 'Nobody is there to approve a plan')
    const verdict = await submitPlan(plan)
    const approved = verdict.decision === 'approved'
    return {
      content: [{ type: 'text', text: approved ? approvalWords(plan, verdict.plan) : refusalWords(verdict.note) }],
      display: { type: 'plan', plan: approved ? verdict.plan : plan, verdict: verdict.decision },
    }
  },
}

const firstLine = (plan: string): string => {
  const line = plan.split('\n').find((each) => each.trim() !== '') ?? ''
  return line.replace(/^[#\s*-]+/, '').slice(0, 120)
}

function approvalWords(submitted: string, approved: string): string {
  const go = 'The user approved the plan. You can change things now, as the user allows; carry it out.'
  return submitted === approved ? go : `${go} They edited it first. This is the plan that holds:\n\n${approved}`
}

const refusalWords = (note: string): string =>
  note
    ? `The user wants changes to the plan: ${note}\nRevise it and submit it again.`
    : 'The user rejected the plan. Ask what they want instead.'
