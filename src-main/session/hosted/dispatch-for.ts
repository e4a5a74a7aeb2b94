import type { Content } from '../../../src-preload/contract/content'
import type { ToolCall } from '../../../src-preload/contract/tool-calls'
import type { Access } from '../../approval/types'
import type { CallOutcome } from '../../tools/call-outcome'
import type { Tool, Toolset } from '../../tools/tool'
import { executeCall } from '../execute'
import type { RunnerCore } from '../runner-core'

const text = (words: string): Content[] => [{ type: 'text', text: words }]

/** Takes a call of a hosted agent through `dispatch`: decided, asked about, run and recorded like any other call. */
export function dispatchFor(
  core: RunnerCore,
  row: ToolCall,
  tool: Tool,
  input: unknown,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const { name } = row
  const toolset: Toolset = {
    name: 'hosted',
    tools: new Map([[name, tool]]),
    renderFailure: ({ message, content }) => content ?? text(message),
  }
  return executeCall(core, toolset, { ...row, arguments: JSON.stringify(input) }, signal)
}

/** Stands for a call that another program makes itself once it is allowed. */
export const permitTool = ({ access, gist }: { access: Access; gist: string }): Tool => ({
  description: '',
  schema: { type: 'object' },
  foreignSchema: true,
  parse: (raw) => raw,
  readOnly: false,
  access: () => access,
  gist: () => gist,
  run: async () => ({ content: text('Allowed. The agent that asked runs it.') }),
})
