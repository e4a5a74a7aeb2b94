import type { AgentsEvent } from './agents'
import type { Rule } from './approval'
import type { BackendsEvent } from './backends'
import type { ChannelsEvent } from './channels'
import type { HooksEvent } from './hooks'
import type { HostedEvent } from './hosted'
import type { InstructionsEvent } from './instructions'
import type { McpEvent, McpLogLine } from './mcp'
import type { MemoryEvent } from './memory'
import type { Message, QueuedMessage, TranscriptPage, TurnError } from './messages'
import type { Provider } from './models'
import type { NodesEvent } from './nodes'
import type { PreviewEvent } from './preview'
import type { ProcessInfo } from './processes'
import type { ReceiptsEvent } from './receipts'
import type { ReviewEvent } from './review'
import type { SandboxStatus } from './sandbox'
import type { ScheduledRun, ScheduleEvent } from './schedule'
import type { Session, Usage } from './sessions'
import type { Settings } from './settings'
import type { SkillsEvent } from './skills'
import type { TodoItem, ToolCall } from './tool-calls'
import type { SpendingEvent } from './usage'
import type { WorktreesEvent } from './worktrees'

/**
 * All that the engine announces, on one channel; the command line prints the same objects with `--json`. They cross a
 * process border, as everything in this folder does, so they are plain data: no classes, dates or functions.
 */
export type DeckhandEvent =
  | { type: 'session'; session: Session }
  | { type: 'session-removed'; sessionId: string }
  | { type: 'message'; message: Message }
  | { type: 'messages-removed'; sessionId: string; fromSeq: number }
  /** Text that was added to a streaming part; the saved message follows as `message`. */
  | { type: 'delta'; sessionId: string; messageId: string; partIndex: number; kind: 'text' | 'reasoning'; text: string }
  | { type: 'call'; call: ToolCall }
  | QueueEvent
  | { type: 'process'; process: ProcessInfo }
  | { type: 'process-removed'; processId: string }
  | { type: 'rules'; rules: Rule[] }
  | { type: 'settings'; settings: Settings }
  | { type: 'providers'; providers: Provider[] }
  /** The stream is silent, or the database locked: seconds left until it is given up or tried again. */
  | {
      type: 'waiting'
      sessionId: string
      phase: 'first-byte' | 'idle' | 'retry' | 'storage'
      secondsLeft: number
      attempt: number
      /** Why it waits. */
      reason?: string
    }
  | TodoEvent
  /** Brings a session to the front: a notification was clicked, or another start of the app asked for it. */
  | { type: 'open-session'; sessionId: string }
  /** A text that a link brought, for the message box of the session in front. Nobody but the user sends it. */
  | { type: 'compose'; text: string }
  /** Something the user should know at once that belongs to no session. */
  | { type: 'note'; text: string }
  | { type: 'turn-end'; sessionId: string; reason: StopReason; text: string; usage: Usage; error?: TurnError }
  | NodesEvent
  | BackendsEvent
  | ScheduleEvent
  | ChannelsEvent
  | AgentsEvent
  | SkillsEvent
  | McpEvent
  | MemoryEvent
  | ReceiptsEvent
  | ReviewEvent
  | WorktreesEvent
  | SpendingEvent
  | InstructionsEvent
  | HooksEvent
  | HostedEvent
  | PreviewEvent

/** The agent's own list of steps. */
export type TodoEvent = { type: 'todo'; sessionId: string; items: TodoItem[] }
export type QueueEvent = { type: 'queue'; sessionId: string; queue: QueuedMessage[] }

/**
 * What calls answer with that read something into the store of the window. They are not announced: nobody else has asked.
 * Calls that read what is announced as well answer with the announcement itself.
 */
export type LoadedEvent = TranscriptLoaded | ProcessesLoaded | RunsLoaded | McpLogLoaded | SandboxLoaded

/** `fresh`: in place of whatever the window held of that session. */
export type TranscriptLoaded = { type: 'transcript'; sessionId: string; page: TranscriptPage; fresh: boolean }
export type ProcessesLoaded = { type: 'processes'; sessionId: string; processes: ProcessInfo[] }
export type RunsLoaded = { type: 'schedule-runs'; jobId: string; runs: ScheduledRun[] }
export type McpLogLoaded = { type: 'mcp-log-read'; server: string; lines: McpLogLine[] }
export type SandboxLoaded = { type: 'sandbox'; sandbox: SandboxStatus }

/** `limit`: as many steps as one turn may have. `cap`: the next request could cost more than the user allows. */
export type StopReason = 'done' | 'stopped' | 'limit' | 'cap' | 'failed' | 'interrupted'
