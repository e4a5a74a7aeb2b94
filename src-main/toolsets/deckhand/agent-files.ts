import { z } from 'zod'
import { type AgentFileDeps, agentFileTools } from '../../tools/agents/agent-files'
import { inputShape } from '../../tools/input'
import type { ObjectTool } from '../../tools/object-tool'

const shape = inputShape(() =>
  z.object({
    action: z.enum(['list', 'read', 'write', 'edit', 'delete']),
    path: z.string().optional().describe('Such as SOUL.md, MEMORY.md, memory/2026-11-16.md, skills/x/SKILL.md'),
    content: z.string().optional().describe('write'),
    oldString: z.string().optional().describe('edit: exact text'),
    newString: z.string().optional(),
    replaceAll: z.boolean().optional(),
  }),
)

type Input = ReturnType<typeof shape.parse>
interface Step {
  tool: ObjectTool
  input: unknown
}

/** The five tools for the agent's own files as one, to keep requests small. */
export function createAgentFilesTool(deps: AgentFileDeps): ObjectTool<Input & { step: Step }> {
  const { list, read, write, edit, remove } = agentFileTools(deps)
  const tools = new Map<Input['action'], ObjectTool>([
    ['list', list],
    ['read', read],
    ['write', write],
    ['edit', edit],
    ['delete', remove],
  ])
  return {
    description: 'Your own files, kept across sessions: who you are, notes, skills. list, read, write, edit, delete.',
    schema: shape.schema,
    parse(raw) {
      const { action, ...rest } = shape.parse(raw)
      const tool = tools.get(action) ?? list
      return { action, ...rest, step: { tool, input: tool.parse(rest) } }
    },
    readOnly: false,
    access: ({ step }, context) => step.tool.access(step.input, context),
    gist: ({ action, path = '/' }) => `${action} ${path}`,
    preview: async ({ step }, context) => (await step.tool.preview?.(step.input, context)) ?? [],
    execute: ({ step }, context) => step.tool.execute(step.input, context),
  }
}
