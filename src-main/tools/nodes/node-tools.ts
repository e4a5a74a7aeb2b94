import type { ProcessTable } from '../../nodes/process-table'
import { createApplyPatchTool } from '../files/apply-patch'
import { createDeleteTool } from '../files/delete'
import { createEditTool } from '../files/edit'
import { createGlobTool } from '../files/glob'
import { createGrepTool } from '../files/grep'
import { createListTool } from '../files/list'
import { createReadTool } from '../files/read'
import { createWriteTool } from '../files/write'
import { createBashTool } from '../shell/bash'
import type { StartCommand } from '../shell/login/login-shell'
import { createProcessTool } from '../terminals/process'
import type { Tool, ToolContext } from '../tool'
import type { ToolNode } from './tool-node'

/** What every machine can do whose commands and files are at hand here. */
export const nodeToolNames: readonly string[] = 'Bash Process Read Write Edit ApplyPatch Glob Grep List Delete'.split(
  ' ',
)

/** The standard tools of a machine: this one, or one that a shell leads to. */
export function createNodeTools(
  node: ToolNode,
  deps: { table: ProcessTable; clock?: () => number; start?: StartCommand },
): Map<string, Tool> {
  const { table, clock = Date.now } = deps
  const { id, far } = node
  const bash = createBashTool(table, id, far && (() => ({ node: id, shell: far.shell() })), deps.start)
  const tools = new Map<string, Tool>([
    ['Bash', bash as Tool],
    ['Process', createProcessTool({ table, node: id, clock }) as Tool],
    ['Read', createReadTool(node) as Tool],
    ['Write', createWriteTool(node) as Tool],
    ['Edit', createEditTool(node) as Tool],
    ['ApplyPatch', createApplyPatchTool(node) as Tool],
    ['Glob', createGlobTool(node) as Tool],
    ['Grep', createGrepTool(node) as Tool],
    ['List', createListTool(node) as Tool],
    ['Delete', createDeleteTool(node) as Tool],
  ])
  if (!far) return tools
  return new Map([...tools].map(([name, tool]) => [name, name === 'Process' ? tool : elsewhere(tool, id, far)]))
}

/** The same in the folder of another machine. The sandbox and its trials are for this one. */
function elsewhere(tool: Tool, node: string, { workspace }: NonNullable<ToolNode['far']>): Tool {
  const there = (context: ToolContext): ToolContext => ({ ...context, workspace: workspace(), sandbox: undefined })
  const { preview } = tool
  return {
    ...tool,
    access: async (input, context) => ({ ...(await tool.access(input, there(context))), node, rehearsable: false }),
    ...(preview && { preview: (input, context) => preview(input, there(context)) }),
    run: (input, context) => tool.run(input, there(context)),
  }
}
