import { z } from 'zod'
import { inputShape } from '../input'
import { type Tool, ToolFailure } from '../tool'

const shape = inputShape(() =>
  z.object({
    question: z.string().refine((question) => question.trim() !== '', 'must not be empty'),
    choices: z.array(z.string()).optional().describe('Offered as buttons; the user may still type'),
  }),
)

type AskUserInput = ReturnType<typeof shape.parse>

/** Asks the user a question from the model. */
export function createAskUserTool(node: string): Tool<AskUserInput> {
  return {
    description: 'Ask the user and wait for the answer. Only for what you cannot find out or decide yourself.',
    ...shape,
    readOnly: false,
    access: (_, { workspace }) => ({ action: 'read', node, workspace, cwd: workspace }),
    gist: ({ question }) => question,
    async run({ question, choices = [] }, { askUser }) {
      if (!askUser) throw new ToolFailure('ExecutionFailed', 'Nobody is there to answer; decide yourself and say so')
      const answer = await askUser(question, choices)
      return { content: [{ type: 'text', text: answer }], display: { type: 'answer', question, answer } }
    },
  }
}
