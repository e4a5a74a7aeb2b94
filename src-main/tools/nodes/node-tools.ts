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

interface NodeToolDeps {
  table: ProcessTable
  clock?: () => number
  start?: StartCommand
}

const makers: Readonly<Record<string, (node: ToolNode, deps: NodeToolDeps) => Tool>> = {
  Bash: ({ id, far }, { table, start }) =>
    createBashTool(table, id, far && (() => ({ node: id, shell: far.shell() })), start),
  Process: ({ id }, { table, clock = Date.now }) => createProcessTool({ table, node: id, clock }),
  Read: (node) => createReadTool(node),
  Write: (node) => createWriteTool(node),
  Edit: (node) => createEditTool(node),
  ApplyPatch: (node) => createApplyPatchTool(node),
  Glob: (node) => createGlobTool(node),
  Grep: (node) => createGrepTool(node),
  List: (node) => createListTool(node),
  Delete: (node) => createDeleteTool(node),
}

/** The tools of every machine whose commands and files are accessible from here. */
export const nodeToolNames: readonly string[] = Object.keys(makers)

/** The standard tools of a machine: this one, or one that is reached through a shell. */
export function createNodeTools(node: ToolNode, deps: NodeToolDeps): Map<string, Tool> {
  const { id, far } = node
  const tools = new Map(Object.entries(makers).map(([name, make]) => [name, make(node, deps)]))
  if (!far) return tools
  return new Map([...tools].map(([name, tool]) => [name, name === 'Process' ? tool : elsewhere(tool, id, far)]))
}

/**
 * The same tool in the folder of another machine. The sandbox, trials and the session's client only work on this one.
 */
function elsewhere(tool: Tool, node: string, { workspace }: NonNullable<ToolNode['far']>): Tool {
  const there = (context: ToolContext): ToolContext => ({
    ...context,
    workspace: workspace(),
    sandbox: undefined,
    client: undefined,
  })
  const { preview } = tool
  return {
    ...tool,
    access: async (input, context) => ({ ...(await tool.access(input, there(context))), node, triable: false }),
    ...(preview && { preview: (input, context) => preview(input, there(context)) }),
    run: (input, context) => tool.run(input, there(context)),
  }
}
