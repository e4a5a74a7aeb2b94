import type { ProcessTable } from '../../nodes/process-table'
import { createAskUserTool } from '../../tools/agents/ask-user'
import { createConfigTool } from '../../tools/agents/config'
import { createCronTool } from '../../tools/agents/cron'
import { createMemoryTool } from '../../tools/agents/memory'
import { createMessageTool } from '../../tools/agents/message'
import { sessionTools } from '../../tools/agents/sessions'
import { createSkillTool } from '../../tools/agents/skill'
import { createTaskTool } from '../../tools/agents/task'
import { createTodoTool } from '../../tools/agents/todo'
import { jsonContent } from '../../tools/json-result'
import { createNodeTools, nodeToolNames } from '../../tools/nodes/node-tools'
import { nodeInfoTools } from '../../tools/nodes/nodes'
import { onNode, type ShellNodeTools } from '../../tools/nodes/on-node'
import { shellNodeTools } from '../../tools/nodes/shell-node-tools'
import { localToolNode } from '../../tools/nodes/tool-node'
import { createTransferTool } from '../../tools/nodes/transfer'
import { plain } from '../../tools/object-tool'
import { createTerminalCapture, createTerminalKeys } from '../../tools/terminals/terminal-tools'
import { createWatchTool } from '../../tools/terminals/watch'
import { createTimeTool } from '../../tools/time'
import type { Tool, Toolset } from '../../tools/tool'
import { createWebFetchTool } from '../../tools/web/web-fetch'
import { createWebSearchTool } from '../../tools/web/web-search'
import type { ToolsetDeps } from '../deps'
import { createAgentFilesTool } from './agent-files'
import { createShelf, type RareTool } from './more-tools'

/** The default vocabulary. Results and failures are compact JSON objects. */
export function createDeckhandToolset(deps: ToolsetDeps): Toolset {
  const { table, node, clock } = deps
  const daily = new Map<string, Tool>([
    ...createNodeTools(localToolNode(node), { table, clock, start: deps.startCommand }),
    ['Time', createTimeTool(node, clock)],
    ['Todo', createTodoTool(node, deps.setTodo)],
    ['AskUser', createAskUserTool(node)],
    ['Task', createTaskTool(deps.subagents)],
  ])
  const { registry, gateway, shellNodes } = deps
  if (registry && gateway) {
    const elsewhere = shellNodes && toolsByNode(shellNodes, { table, clock })
    for (const name of nodeToolNames) {
      const tool = daily.get(name)
      if (tool) daily.set(name, onNode(name, tool, registry, gateway, elsewhere ?? undefined))
    }
  }
  const own = rareTools(deps)
  const none: ReadonlyMap<string, Tool> = new Map()
  const servers = deps.mcp ?? (() => none)
  const shelf = createShelf(() => new Map([...own, ...(isLong(servers()) ? shelved(servers()) : [])]))
  daily.set('MoreTools', shelf.more)
  let all: { served: ReturnType<typeof servers>; tools: ReadonlyMap<string, Tool> } | null = null
  return {
    name: 'deckhand',
    /** Put together once for each state of the servers. */
    get tools() {
      const served = servers()
      if (all?.served !== served) all = { served, tools: new Map([...daily, ...served, ...shelf.tools()]) }
      return all.tools
    },
    offered: (sessionId) => {
      const skilled = deps.hasSkills(sessionId) ? ['Skill'] : []
      const served = isLong(servers()) ? [] : servers().keys()
      return new Set([...daily.keys(), ...shelf.takenBy(sessionId), ...skilled, ...served])
    },
    renderFailure: ({ message, content }) => content ?? jsonContent({ error: message }),
  }
}

/** The tools of machines that are reached through a shell, created once for each. */
function toolsByNode(
  shellNodes: NonNullable<ToolsetDeps['shellNodes']>,
  deps: { table: ProcessTable; clock: () => number },
): ShellNodeTools {
  const made = new Map<string, Map<string, Tool>>()
  return {
    tool(id, name) {
      const tools = made.get(id) ?? shellNodeTools(id, shellNodes.get, deps)
      made.set(id, tools)
      return tools.get(name)
    },
    chosen: shellNodes.chosen,
  }
}

/** What the tools of MCP servers may add to every request before they are only listed. */
const roomForServers = 3_000

const isLong = (tools: ReadonlyMap<string, Tool>): boolean => {
  let bytes = 0
  for (const [name, { description, schema }] of tools)
    bytes += name.length + description.length + JSON.stringify(schema).length
  return bytes > roomForServers
}

const shelved = (tools: ReadonlyMap<string, Tool>): [string, RareTool][] =>
  [...tools].map(([name, tool]) => [name, { line: (tool.description.split(/[\n.]/)[0] ?? '').slice(0, 60), tool }])

/** Tools that a model asks for when it needs them, each with a short line that says what it is for. */
function rareTools(deps: ToolsetDeps): Map<string, RareTool> {
  const sessions = sessionTools(deps.post)
  const nodes = nodeInfoTools(deps)
  const web = { web: deps.web, taint: deps.taint }
  const { table, machine, clock, agentOf } = deps
  const terminals = {
    table,
    machine: (node?: string) => (node === undefined ? machine() : (deps.shellNodes?.get(node) ?? null)),
  }
  const tools: [string, string, Tool][] = [
    ['Cron', 'jobs by the clock', plain(createCronTool({ schedule: deps.schedule, agentOf }))],
    ['Message', 'to people, by any channel', plain(createMessageTool(deps.channels))],
    ['SessionsList', 'other sessions', plain(sessions.list)],
    ['SessionSend', 'talk to one', plain(sessions.send)],
    ['SessionHistory', 'read one', plain(sessions.history)],
    ['Nodes', 'other machines', plain(nodes.list)],
    ['NodeLogs', 'their logs', plain(nodes.logs)],
    [
      'Transfer',
      'files between machines',
      plain(createTransferTool({ transfers: deps.transfers, registry: deps.registry, agentOf })),
    ],
    ['Memory', 'recall and note', createMemoryTool({ memory: deps.memory, agentOf })],
    ['AgentFiles', 'your own files', plain(createAgentFilesTool({ files: deps.files, agentOf }))],
    [
      'Skill',
      'instructions for a kind of task',
      plain(createSkillTool({ skills: deps.skills, files: deps.files, agentOf })),
    ],
    ['Config', 'settings', plain(createConfigTool(deps.config))],
    ['WebFetch', 'a page of the web', createWebFetchTool(web)],
    ['WebSearch', 'search it', createWebSearchTool(web)],
    ['Watch', 'be woken by what a command prints', plain(createWatchTool({ table, watches: deps.watches, clock }))],
    ['CapturePane', 'see any terminal', createTerminalCapture(terminals)],
    ['SendKeys', 'type into it', createTerminalKeys(terminals)],
  ]
  return new Map(tools.map(([name, line, tool]) => [name, { line, tool }]))
}
