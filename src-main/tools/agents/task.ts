import { z } from 'zod'
import type { SubAgentDisplay } from '../../../src-preload/contract/subagents'
import type { SubAgents } from '../../subagents/subagents'
import { inputShape } from '../input'
import { present, translateErrors } from '../object-tool'
import type { Tool, ToolContext } from '../tool'

const shape = inputShape(() =>
  z.object({
    prompt: z.string().trim().min(1).describe('All it needs to know: it sees nothing of this conversation'),
    description: z.string().optional().describe('A few words for the card'),
  }),
)

/** Gives a question to a sub-agent, and waits for its answer. Several at once run in parallel. */
export function createTaskTool(subagents: SubAgents | null | undefined): Tool<ReturnType<typeof shape.parse>> {
  return {
    description:
      'Let a sub-agent look something up with tools that only read, and answer in a text. Ask for several at once where the questions are independent.',
    ...shape,
    readOnly: true,
    access: spawnAccess,
    gist: ({ description, prompt }) => description ?? prompt.slice(0, 120),
    run: ({ prompt, description }, context) =>
      runSubAgent(subagents, { prompt, ...(description && { title: description }) }, context),
  }
}

/**
 * Counts as a read, so it asks if every read asks; the child then reads without asking, and its session's mode allows
 * no more.
 */
export const spawnAccess = (_: unknown, { workspace }: ToolContext) =>
  ({ action: 'read', node: 'local', cwd: workspace, workspace, toolKey: 'agent.spawn' }) as const

export async function runSubAgent(
  subagents: SubAgents | null | undefined,
  task: { prompt: string; title?: string },
  { sessionId, callId, signal, show }: ToolContext,
): Promise<{ content: [{ type: 'text'; text: string }]; display: SubAgentDisplay }> {
  const display = await translateErrors(() =>
    present(subagents).spawn({ ...task, parentId: sessionId, callId, signal, show: (shown) => show(shown) }),
  )
  return { content: [{ type: 'text', text: display.answer }], display }
}
