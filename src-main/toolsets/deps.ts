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

/** The services that the tools of every vocabulary stand on. One that is not there is told of by the tools that need it. */
export interface ToolsetDeps {
  table: ProcessTable
  /** Id of the node that commands and files belong to. */
  node?: string
  /** Where a vocabulary works that knows one place at a time; this machine when left out. */
  machine?: () => ShellNode
  clock?: () => number
  /** How the shell of this machine starts a command; it reads its login files each time when left out. */
  startCommand?: StartCommand
  /** Whether somebody has the deck before them. */
  watched?: boolean
  /** Keeps and announces a session's list. */
  setTodo(sessionId: string, items: TodoItem[]): void
  nodes?: NodeRegistry | null
  gateway?: Gateway | null
  /** Nodes that programs of this machine lead to. */
  shellNodes?: Pick<ShellNodes, 'get' | 'chosen' | 'logs'> | null
  transfers?: Transfers | null
  watches?: Watches | null
  schedule?: Schedule | null
  channels?: Channels | null
  post?: SessionPost | null
  subagents?: SubAgents | null
  sessionFacts?(sessionId: string): SessionFacts | null
  /** Commands that leave the sandbox, where there is one. */
  hostCommands?(): HostCommands | null
  files?: OwnFiles | null
  skills?: Skills | null
  memory?: Memory | null
  /** Everything that may be looked at of the configuration, secrets as marks only. */
  config?: (() => object) | null
  /** The last lines of the app's own log. */
  localLog?(lines: number): Promise<{ lines: string[]; truncated: boolean }>
  web?: Web | null
  /** The section `tools` of the settings file, as it stands there. */
  toolSettings?(): unknown
  /** The tools of MCP servers by their full names, as they are now. */
  mcp?(): ReadonlyMap<string, Tool>
  /** Why a tool of a server is not there. */
  whyMissing?: Toolset['whyMissing']
  /** Notes that strangers' words have entered a session. */
  taint?(sessionId: string): void
  /** Whose session it is; `main` when left out. */
  agentOf?(sessionId: string): string
}
