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
import type { Tool, Toolset } from '../tools/tool'
import type { Watches } from '../watches/watches'
import type { Web } from '../web/web'

/** The services that the tools of all vocabularies use. Tools report it if they need a missing one. */
export interface ToolsetDeps {
  table: ProcessTable
  /** Id of the node that commands and files belong to. */
  node?: string
  /** The machine of a vocabulary that knows one place at a time; by default this machine. */
  machine?: () => ShellNode
  clock?: () => number
  /** How the local shell starts a command; by default it reads its login files each time. */
  startCommand?: StartCommand
  /** Whether a user has the deck in view. */
  watched?: boolean
  /** Stores and publishes a session's list. */
  setTodo(sessionId: string, items: TodoItem[]): void
  nodes?: NodeRegistry | null
  gateway?: Gateway | null
  /** Nodes that are reached through local programs. */
  shellNodes?: Pick<ShellNodes, 'get' | 'chosen' | 'logs'> | null
  transfers?: Transfers | null
  watches?: Watches | null
  schedule?: Schedule | null
  channels?: Channels | null
  post?: SessionPost | null
  subagents?: SubAgents | null
  sessionFacts?(sessionId: string): SessionFacts | null
  /** Commands that run outside the sandbox, if there is one. */
  hostCommands?(): HostCommands | null
  files?: OwnFiles | null
  skills?: Skills | null
  memory?: Memory | null
  /** The readable part of the configuration; secrets only show that they are set. */
  config?: (() => object) | null
  /** The last lines of the app's own log. */
  localLog?(lines: number): Promise<{ lines: string[]; truncated: boolean }>
  web?: Web | null
  /** The section `tools` of the settings file, unparsed. */
  toolSettings?(): unknown
  /** The current tools of MCP servers by their full names. */
  mcp?(): ReadonlyMap<string, Tool>
  /** Why a server's tool is missing. */
  whyMissing?: Toolset['whyMissing']
  /** Records that untrusted text has entered a session. */
  taint?(sessionId: string): void
  /** The agent that a session belongs to; by default `main`. */
  /** The folder that a session works in; undefined for one that is not there. */
  workspaceOf?(sessionId: string): string | undefined
  agentOf?(sessionId: string): string
}
