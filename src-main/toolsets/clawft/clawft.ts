import { z } from 'zod'
import type { ToolErrorKind } from '../../../src-preload/contract/tool-calls'
import type { Channels } from '../../channels/types'
import { inputShape } from '../../tools/input'
import { jsonContent } from '../../tools/json-result'
import { type ObjectTool, plain, present } from '../../tools/object-tool'
import type { Tool, Toolset } from '../../tools/tool'
import type { ToolsetDeps } from '../deps'
import { clawftFileTools } from './files'
import { clawftMemoryTools } from './memory'
import { createExecShellTool, createSpawnTool } from './shell'
import { clawftWebTools } from './web'

const shape = inputShape(() =>
  z.object({ channel: z.string().min(1), chat_id: z.string().min(1), content: z.string().min(1) }),
)

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
  const message = plain(createClawftMessageTool(deps.channels))
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
  const { table, node, web: reach, taint } = deps
  const web = clawftWebTools({ web: reach, taint })
  return new Map<string, Tool>([
    ...clawftFileTools(node),
    ['exec_shell', createExecShellTool(table, node)],
    ...clawftMemoryTools(node),
    ...web,
    ['spawn', createSpawnTool(table, node)],
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

/** Sends a message without waiting for its delivery. */
function createClawftMessageTool(
  channels: Pick<Channels, 'dispatch'> | null | undefined,
): ObjectTool<ReturnType<typeof shape.parse>> {
  return {
    description:
      'Send a message to a chat of a channel, such as telegram, slack or discord. Confirms that it was sent off, not that it arrived.',
    ...shape,
    readOnly: false,
    access: ({ channel, chat_id, content }, { workspace }) => ({
      action: 'send',
      node: 'local',
      cwd: workspace,
      workspace,
      toolKey: `message.${channel.toLowerCase()}`,
      shown: `To ${chat_id}:\n${content}`,
    }),
    gist: ({ channel, chat_id, content }) => `${channel} · ${chat_id} · ${content.slice(0, 120)}`,
    async execute({ channel, chat_id, content }, { sessionId }) {
      present(channels).dispatch({ channel, to: chat_id, text: content }, sessionId)
      return { status: 'sent', channel, chat_id, content_length: [...content].length }
    },
  }
}
