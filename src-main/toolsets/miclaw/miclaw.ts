import { localToolNode } from '../../tools/nodes/tool-node'
import { textContent } from '../../tools/text-content'
import type { Tool, Toolset } from '../../tools/tool'
import type { ToolsetDeps } from '../deps'
import { createMiclawRead, miclawFinders, miclawWriters } from './files'
import { miclawMemoryTools } from './memory'
import { createMiclawExec, createMiclawProcess } from './runtime'
import { createMiclawCron, createMiclawMessage } from './services'
import { miclawSessionTools } from './sessions'

/** Room for a page of 512 KB, and for 100,000 characters of any kind. */
const maxResultBytes = 640 * 1024

/** The vocabulary of miclaw: results and failures are plain text. */
export const createMiclawToolset = (deps: ToolsetDeps): Toolset => speaking(mainAgentTools(deps))

/** A sub-agent's part of it. */
export const createMiclawSubAgentToolset = (deps: ToolsetDeps): Toolset => speaking(subAgentTools(deps))

const speaking = (tools: Map<string, Tool>): Toolset => ({
  name: 'miclaw',
  tools,
  maxResultBytes,
  renderFailure: ({ name, message, content }) =>
    content ?? textContent(tools.has(name) ? `Error: ${message}` : `Tool not found: ${name}`),
})

/** All 20. */
export function mainAgentTools(deps: ToolsetDeps): Map<string, Tool> {
  const { table, node, clock, hostCommands, agentOf } = deps
  const files = localToolNode(node)
  const runtime = { table, node, clock, hostCommands }
  return new Map<string, Tool>([
    ['read', createMiclawRead(files)],
    ...miclawWriters(files),
    ...miclawFinders(files),
    ['exec', createMiclawExec(runtime)],
    ['process', createMiclawProcess(runtime)],
    ['cron', createMiclawCron({ schedule: deps.schedule, agentOf })],
    ['message', createMiclawMessage(deps.channels)],
    ...miclawSessionTools(deps),
    ...miclawMemoryTools({ memory: deps.memory, agentOf }),
  ])
}

/** The six that read. */
export function subAgentTools(deps: ToolsetDeps): Map<string, Tool> {
  const node = localToolNode(deps.node)
  return new Map<string, Tool>([['read', createMiclawRead(node)], ...miclawFinders(node), ...miclawMemoryTools(deps)])
}
