import { type Tool, ToolFailure } from '../../tools/tool'

const processActions = ['list', 'poll', 'log', 'write', 'submit', 'kill']

/** Tools of our own nodes that are not among the seven of that vocabulary. */
export const beyondSeven: ReadonlySet<string> = new Set(['ApplyPatch', 'List', 'Delete'])

/** The standard tools of a machine in the `gsv` vocabulary: seven, without arguments that it does not know. */
export function asGsv(tools: ReadonlyMap<string, Tool>): Map<string, Tool> {
  return new Map(
    [...tools].flatMap(([name, tool]) => {
      if (beyondSeven.has(name)) return []
      if (name === 'Bash') return [[name, without(tool, ['env'])] as const]
      return [[name, name === 'Process' ? ofActions(without(tool, ['keys', 'signal'])) : tool] as const]
    }),
  )
}

/** Hides arguments that only the default vocabulary knows; they are accepted all the same. */
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
