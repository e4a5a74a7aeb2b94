import { nearest } from '../nearest'
import { type Tool, type ToolContext, ToolFailure, type Toolset } from './tool'
import { unknownArguments } from './unknown-arguments'

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/** A call as the model has written it. */
export interface DispatchCall {
  toolset: Toolset
  name: string
  /** JSON text as the model wrote it, or the value itself. */
  arguments: unknown
}

/** The tool of a call. Waits a while for one whose server is starting. */
export async function find(
  { toolset, name }: DispatchCall,
  { workspace, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
): Promise<Tool> {
  const known = toolset.tools.get(name)
  if (known) return known
  const why = await toolset.whyMissing?.(name, workspace, signal)
  const late = toolset.tools.get(name)
  if (late) return late
  if (why) throw new ToolFailure('NotFound', `${JSON.stringify(name)} cannot be called. ${why}`)
  const near = nearest(name, toolset.tools.keys())
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${[...toolset.tools.keys()].join(', ')}.`
  throw new ToolFailure('NotFound', `There is no tool named ${JSON.stringify(name)}. ${hint}`)
}

/** The arguments of a call, checked by its tool. */
export function parse(tool: Tool, call: DispatchCall): { tool: Tool; input: unknown } {
  const given = typeof call.arguments === 'string' ? parseJson(call.arguments) : call.arguments
  const unknown = tool.foreignSchema ? [] : unknownArguments(tool.schema, given, tool.unlisted)
  try {
    const input = tool.parse(given)
    if (unknown.length === 0) return { tool, input }
  } catch (error) {
    if (unknown.length > 0 && error instanceof ToolFailure) unknown.unshift(error.message)
    else throw error
  }
  throw new ToolFailure('InvalidArgs', unknown.join('; '))
}

/** Models send empty text for a call without arguments. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ToolFailure(
      'InvalidArgs',
      `The arguments are not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const twice = duplicateKey(text)
  if (twice !== null) throw new ToolFailure('InvalidArgs', `The arguments have \`${twice}\` twice. Give it once.`)
  return value
}

/**
 * A name that appears twice in one object of a JSON text, or `null`. Parsers differ in which of the two counts, so one
 * program might show something else than another one runs.
 */
function duplicateKey(text: string): string | null {
  const open: (Set<string> | null)[] = []
  let latest: string | null = null
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':' && latest !== null) {
      const names = open.at(-1)
      const name: string = JSON.parse(latest)
      if (names?.has(name)) return name
      names?.add(name)
    }
    latest = token.startsWith('"') ? token : null
  }
  return null
}
