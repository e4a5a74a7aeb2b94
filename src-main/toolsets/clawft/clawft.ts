import type { ToolErrorKind } from '../../../src-preload/contract/tool-calls'
import { jsonContent } from '../../tools/json-result'
import { plain } from '../../tools/object-tool'
import type { Tool, Toolset } from '../../tools/tool'
import type { ToolsetDeps } from '../deps'
import { clawftFileTools } from './files'
import { clawftMemoryTools } from './memory'
import { createClawftMessageTool } from './message'
import { createExecShellTool, createSpawnTool } from './shell'
import { clawftWebTools } from './web'

const maxResultBytes = 65_536

/** The prefix of each kind of failure. */
const prefixes: Record<ToolErrorKind, string> = {
  NotFound: 'tool not found: ',
  InvalidArgs: 'invalid arguments: ',
  ExecutionFailed: 'execution failed: ',
  PermissionDenied: 'permission denied: ',
  FileNotFound: 'not found: ',
  InvalidPath: 'invalid path: ',
  Timeout: '',
}

/**
 * The clawft vocabulary. Its own tools first, then those of MCP servers, then `message`; later names replace earlier
 * ones.
 */
export function createClawftToolset(deps: ToolsetDeps): Toolset {
  const builtIn = clawftBuiltIns(deps)
  const message = plain(createClawftMessageTool(deps.channels)) as Tool
  return {
    name: 'clawft',
    get tools() {
      return new Map([...builtIn, ...(deps.mcp?.() ?? []), ['message', message] as const])
    },
    maxResultBytes,
    maxIterations: 20,
    cut: cutJson,
    renderFailure: ({ kind, message: said, content }) => content ?? jsonContent({ error: prefixes[kind] + said }),
  }
}

function clawftBuiltIns(deps: ToolsetDeps): Map<string, Tool> {
  const { table, node = 'local' } = deps
  const web = clawftWebTools({ web: deps.web, ...(deps.taint && { taint: deps.taint }) })
  return new Map<string, Tool>([
    ...clawftFileTools(node),
    ['exec_shell', createExecShellTool(table, node) as Tool],
    ...clawftMemoryTools(node),
    ...web,
    ['spawn', createSpawnTool(table, node) as Tool],
  ])
}

/**
 * A long result stays JSON: a string gets a mark, a list keeps its head, anything else becomes the start of its text.
 */
export function cutJson(text: string, budget: number): string {
  const value = parsed(text)
  const size = Buffer.byteLength(text)
  if (typeof value === 'string') {
    const mark = `... [truncated, original size: ${size} bytes]`
    return fitting(value, budget, (head) => JSON.stringify(head + mark))
  }
  if (Array.isArray(value)) {
    const note = { _truncated: true, original_count: value.length }
    let count = value.length
    let json = text
    while (count > 0 && Buffer.byteLength(json) > budget) {
      count = Math.floor(count * 0.9)
      json = JSON.stringify([...value.slice(0, count), note])
    }
    return json
  }
  return fitting(text, budget, (head) => JSON.stringify({ _truncated_json: head, original_bytes: size }))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The longest beginning that fits once wrapped by `dress`. */
function fitting(text: string, budget: number, dress: (head: string) => string): string {
  let low = 0
  let high = Math.min(text.length, budget)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.byteLength(dress(text.slice(0, middle).toWellFormed())) <= budget) low = middle
    else high = middle - 1
  }
  return dress(text.slice(0, low).toWellFormed())
}
