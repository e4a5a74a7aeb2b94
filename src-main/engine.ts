import type { StartNote } from '../src-preload/contract/core-calls'
import type { DeckhandEvent } from '../src-preload/contract/events'
import type { ProcessInfo } from '../src-preload/contract/processes'
import type { Recovery } from '../src-preload/contract/recovery'
import type { Session } from '../src-preload/contract/sessions'
import type { Settings } from '../src-preload/contract/settings'
import type { Agents } from './agents/agents'
import type { OwnFiles } from './agents/own-files'
import type { SessionPrompt } from './agents/session-prompt'
import type { Access, Decision } from './approval/types'
import type { Channels } from './channels/types'
import type { Nodes } from './gateway/nodes'
import type { Git } from './git/git'
import type { Hooks } from './hooks/hooks'
import type { Hosts } from './hosts/hosts'
import type { Instructions } from './instructions/instructions'
import type { openLog } from './log'
import type { Mcp } from './mcp/mcp'
import type { Memory } from './memory/memory'
import type { MovingIn } from './moving-in/moving-in'
import type { Network } from './network/network'
import type { HostLink } from './nodes/host-link'
import type { LocalNode } from './nodes/local'
import type { ProcessTable } from './nodes/process-table'
import type { ShellNodes } from './nodes/shell/shell-nodes'
import type { Receipts } from './receipts/receipts'
import type { Review } from './review/review'
import type { Ship } from './review/ship'
import type { Sandbox } from './sandbox/sandbox'
import type { Clock, Schedule } from './schedule/types'
import type { Post } from './session/post'
import type { Runner } from './session/runner'
import type { Store } from './session/store'
import type { ProviderSignIns } from './settings/provider-sign-ins'
import type { Providers } from './settings/providers'
import type { Cipher, SecretStore } from './settings/secrets'
import type { SettingsFile } from './settings/settings'
import type { Skills } from './skills/skills'
import type { SlashCommands } from './slash/slash-commands'
import type { SessionClients } from './tools/client/session-client'
import type { Toolset } from './tools/tool'
import type { Watches } from './watches/watches'
import type { Web } from './web/web'
import type { WorktreeRows } from './worktrees/worktree-rows'
import type { Worktrees } from './worktrees/worktrees'

export interface EngineOptions {
  dataDir: string
  openHost: () => HostLink
  /** The keychain of the operating system; without one keys are forgotten at the end. */
  keychain?: Cipher | null
  secrets?: SecretStore
  /** Whether somebody can answer questions. */
  interactive: boolean
  /** For this run only: what the command line's options change. */
  overrides?: Partial<Settings>
  /** What a session may cost, for a single command: US dollars, and tokens for models without a price; 0 for none. */
  runCap?: { dollars: number; tokens: number }
  /** Whether sessions get titles from their models. */
  titles?: boolean
  /** Whether jobs by the clock run and messages come in here: for a run that stays, not for a single command. */
  serves?: boolean
  /** Told once a second while another program keeps the database from being opened. */
  waiting?: (words: string) => void
  /** Settles when the window stands; what it can be drawn without begins only then. */
  drawn?: Promise<unknown>
  /** Of a gateway without a window: what any node may come with. */
  gatewayToken?: string
  /** What the system and its PAC script say about the way to an address, in the words of a PAC script. */
  systemProxy?: (url: string) => Promise<string>
  /** The time by which jobs run, and the user's zone, where they are not the system's. */
  clock?: Clock
  timeZone?: string
}

/** What makes an agent: its own files, its skills, its memory, and the prompt that comes of them. */
export interface AgentParts {
  files: OwnFiles
  agents: Agents
  skills: Skills
  memory: Memory
  /** Everything that may be looked at of the configuration. */
  config(): object
  prompt: SessionPrompt
  /** Words for an agent that there is not; null for one that there is. */
  unknown(id: string): string | null
}

/** Looking through changes, and what is done with them. */
export interface ReviewParts {
  git: Git
  review: Review
  ship: Ship
  worktrees: Worktrees
  /** A message for what is staged in the workspace of a session. */
  proposeMessage(sessionId: string): Promise<string>
}

/** The whole of Deckhand without a face: the window and the command line are two of its users. */
export interface Engine {
  dataDir: string
  version: string
  keyStore: SecretStore['kind']
  log: ReturnType<typeof openLog>
  store: Store
  runner: Runner
  table: ProcessTable
  watches: Watches
  localNode: LocalNode
  nodes: Nodes
  /** ssh hosts, containers and tmux. */
  shellNodes: ShellNodes
  settings: SettingsFile
  providers: Providers
  /** Sign-ins at providers that permit them. */
  signIns: ProviderSignIns
  agents: AgentParts
  receipts: Receipts
  worktreeRows: WorktreeRows
  /** Looks through changes; made when it is first asked for. */
  reviewing(): Promise<ReviewParts>
  /** AGENTS.md and its like. */
  instructions: Instructions
  /** What other agents on this machine have. */
  movingIn: MovingIn
  /** Programs of the user's that are run when something happens in a session. */
  hooks: Hooks
  /** When the hooks that run have ended. */
  hooksSettled(): Promise<void>
  /** Sessions by their keys, and messages between them. */
  post: Post
  schedule: Schedule
  channels: Channels
  mcp: Mcp
  web: Web
  network: Network
  /** Empty forgets it. */
  setProxyPassword(password: string): void
  sandbox: Sandbox
  /** What can be typed after a slash. */
  slash: SlashCommands
  /** Agents of other makers that play the turns of sessions. */
  hosts: Hosts
  /** The programs that sessions were opened from, with their terminals and files. */
  clients: SessionClients
  createSession(
    wish: Partial<Pick<Session, 'workspace' | 'model' | 'mode' | 'sandbox' | 'toolset' | 'title' | 'key' | 'agentId'>>,
  ): Session
  openTerminal(sessionId: string): Promise<ProcessInfo>
  /** Runs the command of a process that has ended once more, in a terminal of the user's. */
  runAgain(processId: string): Promise<ProcessInfo>
  updateSettings(patch: Partial<Settings>): Settings
  /** `folder`: with what the MCP servers of that project add. */
  toolset(name: string, folder?: string): Toolset
  /** What a sub-agent gets of it. */
  subAgentToolset(name: string): Toolset
  /** What the gate says to a call of a session. */
  decide(access: Access, sessionId: string): Promise<Decision>
  exportSession(sessionId: string, format: 'markdown' | 'json'): string
  publish(event: DeckhandEvent): void
  /** Everything that happens, in order, after it was saved. Returns the way to stop listening. */
  subscribe(listener: (event: DeckhandEvent) => void): () => void
  /** What the user should know about this start; each is told once. */
  takeNotes(): StartNote[]
  /** What this start found damaged in the database; told once. */
  takeRecovery(): Recovery | null
  /** Adds what only the last backup of the database has; `null` where there is none. */
  restoreBackup(): { sessions: number; messages: number } | null
  /** Ends everything, whatever goes wrong on the way; what could not be saved is in `store.unsaved`. */
  close(): Promise<void>
}
