import type { AgentInfo } from '../../src-preload/contract/agents'
import type { BackendQuestion } from '../../src-preload/contract/backends'
import type { ChannelsState } from '../../src-preload/contract/channels'
import type { DeckhandEvent, LoadedEvent } from '../../src-preload/contract/events'
import type { ProjectHooks } from '../../src-preload/contract/hooks'
import type { AgentOnMachine, HostedInfo } from '../../src-preload/contract/hosted'
import type { InstructionsView } from '../../src-preload/contract/instructions'
import type { McpLogLine, McpProject, McpServerInfo } from '../../src-preload/contract/mcp'
import type { GatewayInfo, NodeInfo, Transfer } from '../../src-preload/contract/nodes'
import type { ReceiptSummary } from '../../src-preload/contract/receipts'
import type { ReviewComment } from '../../src-preload/contract/review'
import type { SandboxStatus } from '../../src-preload/contract/sandbox'
import type { ScheduledJob, ScheduledRun, ScheduleState } from '../../src-preload/contract/schedule'
import type { SpendingEvent, Spent } from '../../src-preload/contract/usage'
import type { Worktree } from '../../src-preload/contract/worktrees'

/** What main has sent about its services. `null` until a page has asked for it. */
export interface Services {
  nodes: NodeInfo[] | null
  gateway: GatewayInfo | null
  /** Questions that ssh waits for. */
  sshQuestions: BackendQuestion[]
  transfers: Record<string, Transfer>
  jobs: ScheduledJob[] | null
  clock: ScheduleState | null
  /** Loaded histories by job, newest first. */
  runs: Record<string, ScheduledRun[]>
  channels: ChannelsState | null
  mcp: McpServerInfo[] | null
  /** Folders that define servers. */
  mcpProjects: McpProject[]
  /** Loaded logs by server. */
  mcpLogs: Record<string, McpLogLine[]>
  agents: AgentInfo[] | null
  /** What calls changed, by call. */
  receipts: Record<string, ReceiptSummary>
  /** Comments on changes that are not sent yet, by session. */
  reviewComments: Record<string, ReviewComment[]>
  /** Counts announced changes: the review is loaded again when it grows. */
  reviewChanges: Record<string, number>
  /** Work trees of sessions. */
  worktrees: Worktree[]
  sandbox: SandboxStatus | null
  /** The cost of sessions, by session. */
  spending: Record<string, Pick<SpendingEvent, 'turn' | 'session'>>
  /** The cost of all sessions this month; null until a session was opened. */
  monthSpent: Spent | null
  /** The instructions of sessions, such as AGENTS.md, by session. */
  instructions: Record<string, InstructionsView>
  /** Hosted agents that can be used for sessions. */
  hostedAgents: AgentOnMachine[] | null
  /** The state of a session's hosted agent, by session. */
  hosted: Record<string, HostedInfo>
  /** Hooks defined by folders, by folder. */
  hooks: Record<string, ProjectHooks>
  /** Count announced changes: an agent's files, skills or memory are loaded again when they grow. */
  agentChanges: number
  skillChanges: number
  memoryChanges: number
}

export const noServices: Services = {
  nodes: null,
  gateway: null,
  sshQuestions: [],
  transfers: {},
  jobs: null,
  clock: null,
  runs: {},
  channels: null,
  mcp: null,
  mcpProjects: [],
  mcpLogs: {},
  agents: null,
  receipts: {},
  reviewComments: {},
  worktrees: [],
  reviewChanges: {},
  sandbox: null,
  spending: {},
  monthSpent: null,
  instructions: {},
  hostedAgents: null,
  hosted: {},
  hooks: {},
  agentChanges: 0,
  skillChanges: 0,
  memoryChanges: 0,
}

type ServiceEvent = Extract<
  DeckhandEvent | LoadedEvent,
  {
    type:
      | 'nodes'
      | 'backend-questions'
      | 'transfer'
      | 'schedule'
      | 'schedule-run'
      | 'channels'
      | 'delivery'
      | 'notify'
      | 'agents'
      | 'skills'
      | 'mcp'
      | 'mcp-projects'
      | 'mcp-log'
      | 'memory'
      | 'receipt'
      | 'receipt-removed'
      | 'review-comments'
      | 'review-changed'
      | 'worktrees'
      | 'schedule-runs'
      | 'mcp-log-read'
      | 'sandbox'
      | 'spending'
      | 'instructions'
      | 'hosted'
      | 'hosted-agents'
      | 'hooks'
  }
>

/** The changes that an event of a service makes. */
export function serviceChange(state: Services, event: ServiceEvent): Partial<Services> {
  switch (event.type) {
    case 'nodes':
      return { nodes: event.nodes, gateway: event.gateway }
    case 'backend-questions':
      return { sshQuestions: event.questions }
    case 'transfer':
      return { transfers: { ...state.transfers, [event.transfer.id]: event.transfer } }
    case 'schedule':
      return { jobs: event.jobs, clock: event.state }
    case 'schedule-run':
      return { runs: addRun(state.runs, event.run) }
    case 'channels':
      return { channels: { channels: event.channels, pending: event.pending, settings: event.settings } }
    case 'agents':
      return { agents: event.agents, agentChanges: state.agentChanges + 1 }
    case 'skills':
      return { skillChanges: state.skillChanges + 1 }
    case 'memory':
      return { memoryChanges: state.memoryChanges + 1 }
    case 'receipt':
      return { receipts: { ...state.receipts, [event.receipt.callId]: event.receipt } }
    case 'receipt-removed': {
      const { [event.callId]: _, ...receipts } = state.receipts
      return { receipts }
    }
    case 'review-comments':
      return { reviewComments: { ...state.reviewComments, [event.sessionId]: event.comments } }
    case 'worktrees':
      return { worktrees: event.worktrees }
    case 'review-changed':
      return {
        reviewChanges: { ...state.reviewChanges, [event.sessionId]: (state.reviewChanges[event.sessionId] ?? 0) + 1 },
      }
    case 'mcp':
      return { mcp: event.servers }
    case 'mcp-projects':
      return { mcpProjects: event.projects }
    case 'mcp-log':
      return { mcpLogs: addLines(state.mcpLogs, event.server, event.lines) }
    case 'schedule-runs':
      return { runs: { ...state.runs, [event.jobId]: event.runs } }
    case 'mcp-log-read':
      return { mcpLogs: { ...state.mcpLogs, [event.server]: event.lines } }
    case 'hooks':
      return { hooks: { ...state.hooks, [event.project.folder]: event.project } }
    case 'instructions':
      return { instructions: { ...state.instructions, [event.instructions.sessionId]: event.instructions } }
    case 'sandbox':
      return { sandbox: event.sandbox }
    case 'spending': {
      const { sessionId, turn, session, month } = event
      return { spending: { ...state.spending, [sessionId]: { turn, session } }, monthSpent: month }
    }
    case 'hosted':
      return { hosted: { ...state.hosted, [event.info.sessionId]: event.info } }
    case 'hosted-agents':
      return { hostedAgents: event.agents }
    // These leave no state: `connect` tells the user.
    case 'delivery':
    case 'notify':
      return {}
  }
}

/** Adds to a loaded history only: in one that was not loaded, a single run would look like all of it. */
function addRun(runs: Services['runs'], run: ScheduledRun): Services['runs'] {
  const known = runs[run.jobId]
  if (!known) return runs
  return { ...runs, [run.jobId]: [run, ...known.filter((other) => other.id !== run.id)].sort((a, b) => b.ts - a.ts) }
}

const keptLines = 500

/** The same for a log. */
function addLines(logs: Services['mcpLogs'], server: string, lines: McpLogLine[]): Services['mcpLogs'] {
  const known = logs[server]
  return known ? { ...logs, [server]: [...known, ...lines].slice(-keptLines) } : logs
}
