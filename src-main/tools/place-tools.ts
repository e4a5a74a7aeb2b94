import type { Backends, ConnectedBackend } from '../backends/backends'
import type { ProcessTable } from '../nodes/process-table'
import { createBashTool } from './bash'
import { placedFileTools } from './place-file-tools'
import { createProcessTool } from './process'
import { type Tool, type ToolContext, ToolFailure } from './tool'

/** What a place can do. */
export const placeToolNames: readonly string[] = 'Bash Process Read Write Edit ApplyPatch Glob Grep List Delete'.split(
  ' ',
)

/**
 * The tools of an execution host at a place that programs of this machine lead to: the local ones as the model and the gate
 * know them (`base`), with another way to run.
 */
export function placeTool(
  name: string,
  base: Tool,
  deps: { table: ProcessTable; backends: Pick<Backends, 'get'>; node: string; clock: () => number },
): Tool | null {
  const { table, node, clock } = deps
  const place = (): ConnectedBackend => {
    const found = deps.backends.get(node)
    if (!found) throw new ToolFailure('NotFound', `Node ${node} is not connected`)
    return found
  }
  const there = (context: ToolContext): ToolContext => ({
    ...context,
    workspace: place().facts.workspace,
    sandbox: undefined,
  })
  if (name === 'Process') return createProcessTool({ table, node, clock }) as Tool
  const files = placedFileTools.get(name)
  const { preview: _, ...here } = name === 'Bash' ? bashAt(table, node, place) : base
  if (name !== 'Bash' && !files) return null
  return {
    ...here,
    // The sandbox and its trials are for this machine.
    access: async (input, context) => ({ ...(await here.access(input, there(context))), node, rehearsable: false }),
    ...(files?.preview && {
      preview: async (input, context) => (await files.preview?.(input, there(context), place())) ?? [],
    }),
    run: (input, context) => (files ? files.run(input, there(context), place()) : here.run(input, there(context))),
  }
}

const bashAt = (table: ProcessTable, node: string, place: () => ConnectedBackend): Tool =>
  createBashTool(table, node, () => ({ node, shell: place().facts.shell })) as Tool
