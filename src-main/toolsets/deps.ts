import type { TodoItem } from '../../src-preload/contract/tool-calls'
import type { OwnFiles } from '../agents/own-files'
import type { Channels } from '../channels/types'
import type { Gateway } from '../gateway/gateway'
import type { Transfers } from '../gateway/transfer'
import type { Memory } from '../memory/memory'
import type { ProcessTable } from '../nodes/process-table'
import type { NodeRegistry } from '../nodes/registry'
import type { ShellNode } from '../nodes/shell/shell-node'
import type { ShellNodes } from '../nodes/shell/shell-nodes'
import type { Schedule } from '../schedule/types'
import type { Skills } from '../skills/skills'
import type { SubAgents } from '../subagents/subagents'
import type { SessionFacts, SessionPost } from '../tools/agents/sessions'
import type { HostCommands } from '../tools/shell/host-commands'
import type { StartCommand } from '../tools/shell/login/login-shell'
import { thisMachine } from '../tools/terminals/panes'
import type { Tool, Toolset } from '../tools/tool'
import type { Watches } from '../watches/watches'
import type { Web } from '../web/web'

/** What the tools of all vocabularies stand on. A service that is `null` is not there; a tool that needs it says so. */
export interface ToolsetDeps {
  table: ProcessTable
  /** Id of the node that commands and files belong to. */
  node: string
  /** The machine of a vocabulary that knows one place at a time. */
  machine(): ShellNode
  clock(): number
  /** How the local shell starts a command; without one it reads its login files each time. */
  startCommand: StartCommand | undefined
  /** Whether a user has the deck in view. */
  watched: boolean
  /** Stores and publishes a session's list. */
  setTodo(sessionId: string, items: TodoItem[]): void
  registry: NodeRegistry | null
  gateway: Gateway | null
  /** Nodes that are reached through local programs. */
  shellNodes: Pick<ShellNodes, 'get' | 'chosen' | 'logs'> | null
  transfers: Transfers | null
  watches: Watches | null
  schedule: Schedule | null
  channels: Channels | null
  post: SessionPost | null
  subagents: SubAgents | null
  sessionFacts(sessionId: string): SessionFacts | null
  /** Commands that run outside the sandbox, if there is one. */
  hostCommands(): HostCommands | null
  files: OwnFiles | null
  skills: Skills | null
  memory: Memory | null
  /** The readable part of the configuration; secrets only show that they are set. */
  config: (() => object) | null
  /** The last lines of the app's own log. */
  localLog: ((lines: number) => Promise<{ lines: string[]; truncated: boolean }>) | null
  web: Web | null
  /** The section `tools` of the settings file, unparsed. */
  toolSettings(): unknown
  /** The current tools of MCP servers by their full names; `null` in a vocabulary that has none of them. */
  mcp: (() => ReadonlyMap<string, Tool>) | null
  /** Why a server's tool is missing. */
  whyMissing: NonNullable<Toolset['whyMissing']> | null
  /** Records that untrusted text has entered a session. */
  taint(sessionId: string): void
  /** Whether there are skills for a session. Asked before every request. */
  hasSkills(sessionId: string): boolean
  /** The agent that a session belongs to. */
  agentOf(sessionId: string): string
}

/** Some of it, for a toolset that is made without the whole app around it. */
export type SomeToolsetDeps = Pick<ToolsetDeps, 'table' | 'setTodo'> & Partial<ToolsetDeps>

/** The rest is not there. */
export const withoutServices = (given: SomeToolsetDeps): ToolsetDeps => ({
  node: 'local',
  machine: () => thisMachine,
  clock: Date.now,
  startCommand: undefined,
  watched: false,
  registry: null,
  gateway: null,
  shellNodes: null,
  transfers: null,
  watches: null,
  schedule: null,
  channels: null,
  post: null,
  subagents: null,
  sessionFacts: () => null,
  hostCommands: () => null,
  files: null,
  skills: null,
  memory: null,
  config: null,
  localLog: null,
  web: null,
  toolSettings: () => undefined,
  mcp: null,
  whyMissing: null,
  taint: () => {},
  hasSkills: (sessionId) => given.skills?.any(given.agentOf?.(sessionId) ?? 'main') ?? false,
  agentOf: () => 'main',
  ...given,
})
