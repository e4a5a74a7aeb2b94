import type { Engine } from '../engine'
import { readLogTail } from '../log-tail'
import type { SubAgents } from '../subagents/subagents'
import { readHostCommands } from '../tools/shell/host-commands'
import type { StartCommand } from '../tools/shell/login/login-shell'
import type { Toolset } from '../tools/tool'
import { createSubAgentToolset, createToolset } from '../toolsets'
import type { ToolsetDeps } from '../toolsets/deps'
import type { WebParts } from './web'

/** What tools stand on. */
interface ToolsetParts
  extends Pick<
      Engine,
      | 'dataDir'
      | 'store'
      | 'runner'
      | 'table'
      | 'watches'
      | 'nodes'
      | 'shellNodes'
      | 'settings'
      | 'agents'
      | 'post'
      | 'schedule'
      | 'channels'
    >,
    Pick<WebParts, 'web' | 'mcp' | 'mcpTools' | 'mcpServes'> {
  subagents: SubAgents
  startCommand: StartCommand
  /** Whether somebody can see the terminals. */
  watched: boolean
}

interface Toolsets extends Pick<Engine, 'toolset' | 'subAgentToolset'> {
  /** Hands over what tools stand on. A toolset cannot be asked for before. */
  supply(parts: ToolsetParts): void
}

/**
 * The vocabularies by name, each made once, when it is first asked for. Sessions are given this before there is
 * anything that tools could stand on, since much of that, messages and schedules for example, stands on sessions in
 * turn.
 */
export function composeToolsets(): Toolsets {
  const made = new Map<string, Toolset>()
  const once = (key: string, make: () => Toolset): Toolset => {
    const toolset = made.get(key) ?? make()
    made.set(key, toolset)
    return toolset
  }
  let supplied: ToolsetParts | null = null
  const parts = (): ToolsetParts => {
    if (!supplied) throw new Error('A toolset was asked for before its parts were there')
    return supplied
  }
  return {
    supply: (given) => {
      supplied = given
    },
    // A folder with MCP servers of its own has vocabularies of its own.
    toolset: (name, folder) =>
      folder !== undefined && parts().mcpServes(folder)
        ? once(`${name} in ${folder}`, () => createToolset(name, depsFrom(parts(), folder)))
        : once(name, () => createToolset(name, depsFrom(parts()))),
    subAgentToolset: (name) => once(`${name} for a sub-agent`, () => createSubAgentToolset(name, depsFrom(parts()))),
  }
}

const depsFrom = (parts: ToolsetParts, folder?: string): ToolsetDeps => {
  const { dataDir, store, runner, nodes, shellNodes, settings, agents, channels } = parts
  return {
    table: parts.table,
    node: 'local',
    clock: Date.now,
    startCommand: parts.startCommand,
    watches: parts.watches,
    setTodo: runner.setTodo,
    registry: nodes.registry,
    gateway: nodes.gateway,
    shellNodes,
    machine: shellNodes.current,
    watched: parts.watched,
    transfers: nodes.transfers,
    post: parts.post,
    subagents: parts.subagents,
    sessionFacts: (sessionId) => {
      const session = store.sessions.find(sessionId)
      if (!session) return null
      const messages = store.messages.count(sessionId)
      return { session, messages, siblings: store.sessions.countOf(session.agentId) }
    },
    hostCommands: () => readHostCommands(settings.section('sandbox')),
    schedule: parts.schedule,
    channels,
    files: agents.files,
    skills: agents.skills,
    memory: agents.memory,
    config: agents.config,
    web: parts.web,
    toolSettings: () => settings.section('tools'),
    mcp: () => parts.mcpTools(folder),
    whyMissing: parts.mcp.whyMissing,
    taint: store.taint.add,
    localLog: (lines) => readLogTail(dataDir, lines),
    hasSkills: (sessionId) => {
      const session = store.sessions.find(sessionId)
      return agents.skills.any(session?.agentId ?? 'main', session?.workspace)
    },
    agentOf: (sessionId) => store.sessions.find(sessionId)?.agentId ?? 'main',
  }
}
