/**
 * What the window, the engine and the command line say to one another: plain data, no behaviour.
 * Everything here crosses a process border as JSON (or structured clone), so there are no classes, dates or functions.
 */

import type { AgentsEvent } from './agents'
import type { BackendsEvent } from './backends'
import type { ChannelsEvent } from './channels'
import type { McpEvent } from './mcp'
import type { MemoryEvent } from './memory'
import type { NodesEvent } from './nodes'
import type { ReceiptsEvent } from './receipts'
import type { Blocked, Rehearsal } from './sandbox'
import type { ScheduleEvent } from './schedule'
import type { SkillEntry, SkillsEvent } from './skills'
import type { SubAgentDisplay } from './subagents'

// ── Content ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type TextContent = { type: 'text'; text: string }
export type ImageContent = { type: 'image'; data: string; mimeType: string }
/** What a model reads: the parts of a user's message or of a tool's result. */
export type Content = TextContent | ImageContent

// ── Sessions ───────────────────────────────────────────────────────────────────────────────────────────────────────

export type ApprovalMode = 'ask' | 'safe' | 'workspace' | 'all' | 'read-only'

export type SessionStatus = 'idle' | 'running' | 'waiting' | 'interrupted'

export interface Session {
  id: string
  /** Stable name for other sessions and channels, such as `agent:main:main`; empty for ordinary chats. */
  key: string
  /** Whose session it is: the agent whose own files and prompt it works with. */
  agentId: string
  title: string
  /** Set while the title was made from the first message rather than typed by the user. */
  autoTitle: boolean
  workspace: string
  /** `providerId/modelName`, or `guide` for the built-in offline guide. */
  model: string
  toolset: string
  mode: ApprovalMode
  /** Its commands run in a sandbox, where this machine has one. */
  sandbox: boolean
  parentId: string | null
  status: SessionStatus
  /** Calls of this session that wait for an answer. */
  waiting: number
  createdAt: number
  updatedAt: number
  usage: Usage
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** In US dollars; 0 where the price is not known. */
  cost: number
  /** Tokens in the last request, for the context meter. */
  contextTokens: number
  contextWindow: number
}

// ── Messages ───────────────────────────────────────────────────────────────────────────────────────────────────────

export type Role = 'user' | 'assistant' | 'system'

export type Part =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; durationMs?: number }
  | { type: 'image'; data: string; mimeType: string; name?: string }
  | { type: 'file'; name: string; path: string; text: string }
  | { type: 'call'; callId: string }
  | { type: 'error'; error: TurnError }
  /** A short line of the app's own: a process that ended, what the user typed into a terminal, a compaction. */
  | { type: 'notice'; notice: Notice }

export type Notice =
  /** `forModel` is what the model reads in place of `text`, where its vocabulary has a form of its own for it. */
  | { kind: 'process-exit'; processId: string; text: string; forModel?: string }
  | { kind: 'user-typed'; processId: string; text: string }
  | { kind: 'compaction'; text: string; summary: string; hiddenCount: number; undone: boolean }
  | { kind: 'interrupted'; text: string }
  | { kind: 'event'; text: string }

export interface Message {
  id: string
  sessionId: string
  /** Order within the session; grows by one. */
  seq: number
  role: Role
  parts: Part[]
  createdAt: number
  /** While the model still writes this message. */
  streaming: boolean
  /** For user messages: sent into a running turn. */
  steer?: boolean
  model?: string
  usage?: { inputTokens: number; outputTokens: number; cost: number }
}

/** A message as the transcript pages it: with the calls that its parts refer to. */
export interface TranscriptPage {
  messages: Message[]
  calls: ToolCall[]
  /** Number of messages in the session, so that the list can size itself before all pages are read. */
  total: number
}

export interface QueuedMessage {
  id: string
  sessionId: string
  text: string
  attachments: Attachment[]
  createdAt: number
}

export interface Attachment {
  name: string
  mimeType: string
  /** Images carry base64, everything else text. */
  data: string
}

export type TurnErrorKind =
  | 'auth'
  | 'rate-limit'
  | 'quota'
  | 'context-overflow'
  | 'model-not-found'
  | 'network'
  | 'timeout'
  | 'cut'
  | 'bad-response'
  | 'server'
  | 'refused'
  | 'internal'

/** A failure of a turn, in words that help; `retryable` offers the retry button. */
export interface TurnError {
  kind: TurnErrorKind
  message: string
  hint?: string
  retryable: boolean
}

// ── Tool calls ─────────────────────────────────────────────────────────────────────────────────────────────────────

export type ToolErrorKind =
  | 'NotFound'
  | 'InvalidArgs'
  | 'ExecutionFailed'
  | 'PermissionDenied'
  | 'FileNotFound'
  | 'InvalidPath'
  | 'Timeout'

export interface ToolCall {
  id: string
  sessionId: string
  messageId: string
  /** The id the provider gave, which its result must carry. */
  providerId: string
  /** The name under which the model called it. */
  name: string
  /** The arguments as the model sent them: a JSON text that may be malformed. */
  arguments: string
  /** One line for the card: `npm test`, `src/app.ts:10-40`. */
  gist: string
  state: ToolState
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  /** Why it ran without asking, or who allowed it. */
  grant: Grant | null
}

export type ToolState =
  | { status: 'pending' }
  | { status: 'awaiting'; question: Question }
  | { status: 'running'; display?: Display; progress?: string }
  | { status: 'done'; content: Content[]; display?: Display }
  | { status: 'failed'; error: { kind: ToolErrorKind; message: string }; content: Content[]; display?: Display }
  | { status: 'denied'; message: string }
  | { status: 'aborted'; message: string; display?: Display }

export type ToolStatus = ToolState['status']

/** What let a call through. */
export type Grant =
  | { by: 'mode'; mode: ApprovalMode; reason: string }
  | { by: 'rule'; ruleId: string; reason: string }
  | { by: 'user'; scope: AnswerScope; edited: boolean; reason: string; rehearsed?: boolean }
  | { by: 'sandbox'; reason: string }
  | { by: 'harmless'; reason: string }

/** How a result is shown; the model never sees it. */
export type Display =
  | {
      type: 'process'
      processId: string
      command: string
      exitCode?: number | null
      tail?: string
      bytes?: number
      /** What it ran into, where it ran in a sandbox. */
      blocked?: Blocked
      /** Files it made there that make something run later by themselves. */
      planted?: string[]
    }
  | { type: 'file'; path: string; startLine: number; lines: number; text: string; truncated?: boolean }
  | { type: 'diff'; files: FileDiff[] }
  /** `listing`: what a folder holds, rather than what was looked for. */
  | { type: 'matches'; rows: { path: string; line?: number; text?: string }[]; total: number; listing?: true }
  | { type: 'todo'; items: TodoItem[] }
  | { type: 'image'; path: string; mimeType: string; data: string }
  | { type: 'answer'; question: string; answer: string }
  | SubAgentDisplay
  | { type: 'text'; text: string }

export interface FileDiff {
  path: string
  kind: 'add' | 'update' | 'delete' | 'move'
  /** Unified diff without file headers. */
  patch: string
  added: number
  removed: number
}

export interface TodoItem {
  text: string
  status: 'pending' | 'active' | 'done'
}

// ── Approval ───────────────────────────────────────────────────────────────────────────────────────────────────────

export type Action = 'read' | 'write' | 'exec' | 'network' | 'send' | 'configure'

export type Verdict = 'allow' | 'ask' | 'deny'

/** One sub-command of a shell command, or one file of several, as it was analysed. */
export interface SubCommand {
  /** Its own source text, or the path. */
  text: string
  verdict: Verdict
  /** Why, in plain words: "writes outside the workspace: ~/.bashrc". */
  reason: string
  danger?: boolean
  effects?: { reads?: string[]; writes?: string[]; deletes?: string[]; connects?: string[]; runs?: string[] }
}

/** A rule that the card offers to keep, with the sentence that the user reads before agreeing. */
export interface RuleOffer {
  /** Index into the question's offers; the answer names it by this. */
  index: number
  scope: RuleScope
  sentence: string
  /** How the rule would have answered what the user was asked before. */
  past?: { total: number; matched: number; refused: number }
}

export type RuleScope = 'process' | 'session' | 'workspace' | 'everywhere'
export type AnswerScope = 'once' | RuleScope

/** Everything the approval card shows. A question is the state of a call, kept on disk until it is answered. */
export interface Question {
  id: string
  callId: string
  sessionId: string
  kind: 'command' | 'file' | 'tool' | 'loop' | 'ask-user'
  title: string
  /** The whole command, exactly as it would run. */
  command?: string
  cwd?: string
  node: string
  subCommands?: SubCommand[]
  diff?: FileDiff[]
  /** Paths or hosts that the call would touch. */
  resources?: string[]
  /** Why no rule and no mode let it through. */
  reason: string
  /** A word that must be typed before Allow is possible. */
  typedWord?: string
  offers: RuleOffer[]
  /** Whether the command can be edited before it is allowed. */
  editable: boolean
  /** Sessions from the asking one up to the root, for sub-agents and jobs. */
  ancestry: string[]
  /** Choices for a question that the model put to the user. */
  choices?: string[]
  /** The command can be tried in a copy of the workspace first, or has been. */
  rehearsal?: Rehearsal
  createdAt: number
}

/** The only thing the window may say about a question. `typed` is the word that a dangerous one asks for. */
export type Answer =
  | { decision: 'allow'; scope: 'once' | 'session'; typed?: string }
  /** `days`: how long the rule holds; without it, until it is revoked. */
  | { decision: 'allow'; scope: 'rule'; offer: number; days?: number; typed?: string }
  | { decision: 'allow-edited'; command: string; typed?: string }
  /** Takes over what a trial has changed, in place of running the command. */
  | { decision: 'apply'; typed?: string }
  | { decision: 'deny'; note?: string }
  | { decision: 'reply'; text: string }

export interface Rule {
  id: string
  scope: RuleScope
  /** The session, process or workspace folder that the scope refers to; empty for everywhere. */
  subject: string
  verdict: 'allow' | 'deny'
  action: Action
  /** Exact argv or a token prefix for commands; a path or host pattern otherwise. */
  match: RuleMatch
  sentence: string
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
  useCount: number
}

export type RuleMatch =
  /** `cwd`: the folder it holds in; without it, the root of the workspace. `node`: another machine, and only there. */
  | { kind: 'argv'; argv: string[]; program?: string; cwd?: string; bound?: BoundContent[]; node?: string }
  | { kind: 'prefix'; argv: string[]; program?: string; cwd?: string }
  | { kind: 'path'; path: string; recursive: boolean }
  | { kind: 'host'; host: string }
  | { kind: 'tool'; key: string }

/** Content that a permission depends on: a file, or one script of a package.json. */
export interface BoundContent {
  /** Relative to the workspace where it lies inside. */
  path: string
  script?: string
  hash: string
  /** What it was, unless it is very long. */
  text?: string
}

// ── Processes ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type ProcessStatus =
  | 'running'
  | 'exited'
  /** Ended because the app ended or its terminal host died; the exit code is not known. */
  | 'lost'
  /** Still alive after a restart of the app, without its terminal. */
  | 'survived'

export interface ProcessInfo {
  id: string
  sessionId: string
  callId: string | null
  node: string
  command: string
  title: string
  cwd: string
  pid: number
  tty: boolean
  /** Opened by the user rather than by the agent. */
  byUser: boolean
  background: boolean
  status: ProcessStatus
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  /** The program turned echo off: it waits for a password, and the agent is locked out. */
  secretInput: boolean
  /** Bytes in the log so far. */
  bytes: number
  /** For processes of other machines: whether the machine is in reach. While it is not, nobody knows how they fare. */
  link?: 'up' | 'down'
  startedAt: number
  endedAt: number | null
}

/** Messages on a pane's own port, from the terminal host. */
export type PaneMessage =
  /** Replace everything: the serialised screen and scrollback up to `offset` in the log. */
  | { type: 'snapshot'; data: string; offset: number; cols: number; rows: number; skipped: number }
  | { type: 'data'; data: string; offset: number }
  | { type: 'history'; data: string; from: number; to: number }
  | { type: 'size'; cols: number; rows: number }
  | { type: 'exit'; exitCode: number | null; signal: string | null }

/** Messages on a pane's own port, to the terminal host. */
export type PaneRequest =
  | { type: 'ack'; chars: number }
  | { type: 'input'; data: string }
  | { type: 'resize'; cols: number; rows: number }
  /** Older output than the pane holds: up to `bytes` that end at log offset `before`. */
  | { type: 'history'; before: number; bytes: number }

// ── Models and settings ────────────────────────────────────────────────────────────────────────────────────────────

export type ProviderKind = 'openai' | 'anthropic'

export interface Provider {
  id: string
  name: string
  kind: ProviderKind
  baseUrl: string
  /** Whether a key is stored; the key itself never leaves the main process. */
  hasKey: boolean
  /** Found on a usual local port rather than added by the user. */
  detected: boolean
  models: ModelInfo[]
}

export interface ModelInfo {
  /** `providerId/modelName`. */
  id: string
  name: string
  contextWindow: number
  /** US dollars for a million tokens, where known. */
  price?: { input: number; output: number; cached?: number }
}

export type Theme = 'system' | 'light' | 'dark'

export interface Settings {
  theme: Theme
  defaultModel: string
  defaultMode: ApprovalMode
  defaultToolset: string
  defaultWorkspace: string
  maxIterations: number
  maxResultBytes: number
  terminalFontSize: number
  notifications: boolean
  /** Seconds until the first byte of a reply, and between two pieces of it. */
  firstByteSeconds: number
  idleSeconds: number
  compactAt: number
  /** Whether other machines may connect; nothing listens before the first one was added. */
  gatewayEnabled: boolean
  /** The address to listen on. Anything but loopback lets the network in. */
  gatewayHost: string
  /** 0: any free one, and the same again at the next start. */
  gatewayPort: number
  /** Name of this machine among the nodes; empty for its host name. */
  nodeName: string
  /** The execution host that models are told of as the primary one; empty for the first by name. */
  primaryNode: string
  /** What the user says about skills, by name: switched off, always there, or with other requirements. */
  skillEntries: Record<string, SkillEntry>
  /** Whether the web tools may fetch from this machine and its network. */
  webAllowLocal: boolean
  /** Address of a search service that answers in JSON; empty for DuckDuckGo. */
  webSearchEndpoint: string
  /** Hosts that commands in a sandbox may reach; `*.example.com` for all below one. */
  sandboxHosts: string[]
}

// ── Events ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** All that the engine announces, on one channel; the command line prints the same objects with `--json`. */
export type DeckhandEvent =
  | { type: 'session'; session: Session }
  | { type: 'session-removed'; sessionId: string }
  | { type: 'message'; message: Message }
  | { type: 'messages-removed'; sessionId: string; fromSeq: number }
  /** Text that was added to a streaming part; the saved message follows as `message`. */
  | { type: 'delta'; sessionId: string; messageId: string; partIndex: number; kind: 'text' | 'reasoning'; text: string }
  | { type: 'call'; call: ToolCall }
  | { type: 'queue'; sessionId: string; queue: QueuedMessage[] }
  | { type: 'process'; process: ProcessInfo }
  | { type: 'process-removed'; processId: string }
  | { type: 'rules'; rules: Rule[] }
  | { type: 'settings'; settings: Settings }
  | { type: 'providers'; providers: Provider[] }
  /** The stream is silent: seconds left until it is given up or tried again. */
  | { type: 'waiting'; sessionId: string; phase: 'first-byte' | 'idle' | 'retry'; secondsLeft: number; attempt: number }
  | { type: 'todo'; sessionId: string; items: TodoItem[] }
  /** Brings a session to the front: a notification was clicked, or another start of the app asked for it. */
  | { type: 'open-session'; sessionId: string }
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

export type StopReason = 'done' | 'stopped' | 'limit' | 'failed' | 'interrupted'

export interface SearchHit {
  sessionId: string
  sessionTitle: string
  messageId: string
  seq: number
  /** Text around the hit, with the matched words between U+0002 and U+0003. */
  snippet: string
  createdAt: number
}
