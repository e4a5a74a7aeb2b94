import type { ProcessTable } from '../nodes/process-table'
import { createBashTool } from '../tools/bash'
import { createEditTool } from '../tools/edit'
import { createFileMemory } from '../tools/file-memory'
import { createGlobTool } from '../tools/glob'
import { createGrepTool } from '../tools/grep'
import { createProcessTool } from '../tools/process'
import { createReadTool } from '../tools/read'
import { type Tool, ToolFailure } from '../tools/tool'
import { createWriteTool } from '../tools/write'

const processActions = ['list', 'poll', 'log', 'write', 'submit', 'kill']

/** What our own nodes have beyond those seven, for the default vocabulary. */
export const beyondSeven: ReadonlySet<string> = new Set(['ApplyPatch', 'List', 'Delete'])

/** The seven tools of a node as the vocabulary `gsv` has them. */
export function nodeTools(table: ProcessTable, node: string, clock: () => number): Map<string, Tool> {
  const memory = createFileMemory()
  return new Map<string, Tool>([
    ['Bash', without(createBashTool(table, node), ['env'])],
    ['Process', ofActions(without(createProcessTool({ table, node, clock }), ['keys', 'signal']))],
    ['Read', createReadTool(memory, node)],
    ['Write', createWriteTool(memory, node)],
    ['Edit', createEditTool(memory, node)],
    ['Glob', createGlobTool(node)],
    ['Grep', createGrepTool(node)],
  ])
}

/** Without telling of arguments that only the default vocabulary knows; they are taken all the same. */
function without(tool: Tool, names: readonly string[]): Tool {
  const properties = Object.entries(tool.schema.properties as object).filter(([name]) => !names.includes(name))
  return { ...tool, schema: { ...tool.schema, properties: Object.fromEntries(properties) }, unlisted: names }
}

function ofActions(tool: Tool): Tool {
  const properties = { ...(tool.schema.properties as object), action: { type: 'string', enum: processActions } }
  return {
    ...tool,
    description:
      'Manage background commands of Bash: list them, poll one (status and tail), log (lines), write or submit input, kill.',
    schema: { ...tool.schema, properties },
    parse(raw) {
      const action = typeof raw === 'object' && raw !== null && 'action' in raw ? raw.action : undefined
      if (typeof action === 'string' && !processActions.includes(action)) {
        throw new ToolFailure('InvalidArgs', `\`action\`: must be one of ${processActions.join(', ')}`)
      }
      return tool.parse(raw)
    },
  }
}
