import type { Answer, Question, Rule } from '../../src-preload/contract/approval'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Attachment, Message, QueuedMessage, TranscriptPage } from '../../src-preload/contract/messages'
import type { Effort, ModelPrice } from '../../src-preload/contract/models'
import type { Session } from '../../src-preload/contract/sessions'
import type { Settings } from '../../src-preload/contract/settings'
import type { TodoItem, ToolCall } from '../../src-preload/contract/tool-calls'
import type { SpendingEvent } from '../../src-preload/contract/usage'
import type { Model } from '../agent/model'
import type { Access } from '../approval/types'
import type { Collisions } from '../collisions/collisions'
import type { Hooks } from '../hooks/hooks'
import type { Logger } from '../log'
import type { LossFinder } from '../losses/losses'
import type { ProcessTable } from '../nodes/process-table'
import type { Receipts } from '../receipts/receipts'
import type { Sandbox } from '../sandbox/sandbox'
import type { SessionCages } from '../sandbox/session-cages'
import type { TrialRunner } from '../sandbox/trial-runner'
import type { CallOutcome } from '../tools/call-outcome'
import type { SessionClients } from '../tools/client/session-client'
import type { ToolDefinition, Toolset } from '../tools/tool'
import type { Watches } from '../watches/watches'
import type { SmallRequest } from './ask-model'
import type { Cap } from './caps'
import type { Gate } from './gate'
import type { AgentActions } from './hosted/agent-actions'
import type { HostedPorts } from './hosted/ports'
import type { RewindPorts } from './rewind/rewind'
import type { NewSession, SessionPatch, TurnOrigin } from './session-rows'
import type { Store } from './store'
import type { Surroundings } from './surroundings'

/** A model that a turn can talk to, with what is known about it. */
export interface ModelChoice {
  model: Model
  /** The name that the provider knows it by. */
  modelName: string
  /** In tokens; 0 if unknown. */
  contextWindow: number
  /** The size to assume: the known one, or a likely one. */
  assumedWindow?: number
  /** The levels that it has. */
  efforts?: readonly Effort[]
  /** How many tokens it may use for thinking, in addition to its answer. */
  thinkingTokens?: number
  price?: ModelPrice
}

export interface RunnerOptions {
  store: Store
  /** Called only after what the event reports has been saved. */
  publish(event: DeckhandEvent): void
  toolsetFor(session: Session): Toolset
  /** Throws an error for the user if there is no such model. */
  modelFor(modelId: string): ModelChoice | Promise<ModelChoice>
  table: Pick<ProcessTable, 'onExit' | 'onTyped' | 'tail' | 'output' | 'list' | 'get' | 'endOf'>
  gate: Gate
  /** Records what calls change and leave running. */
  receipts?: Pick<
    Receipts,
    | 'prepare'
    | 'begin'
    | 'beginRest'
    | 'keepCopy'
    | 'settled'
    | 'changeSince'
    | 'leftBy'
    | 'workingElsewhere'
    | 'previewBack'
    | 'goBack'
    | 'goForward'
  >
  /** Keeps sessions from overwriting what others have changed and they have not seen. */
  collisions?: Collisions
  /** Runs the commands of sessions whose sandbox is switched on. */
  sandbox?: Pick<Sandbox, 'enter'>
  /** Runs commands that were allowed without asking. */
  cages?: Pick<SessionCages, 'enter' | 'warm'>
  trialRunner?: TrialRunner
  /** Finds out what a call would destroy; loaded when it is needed. */
  losses?: () => Promise<LossFinder>
  /** The programs that sessions were opened from, with their terminals and files. */
  clients?: Pick<SessionClients, 'of'>
  /** Agents of other makers that play the turns of sessions which have chosen them. */
  hosted?: HostedPorts
  /** Events in background processes that the agent or the user waits for. */
  watches?: Pick<Watches, 'onTripped'>
  settings(): Settings
  /** `tools` are those that the request carries; `stated` is what the prompt says about the surroundings. */
  systemPrompt(session: Session, tools: readonly ToolDefinition[], stated?: Surroundings): string | Promise<string>
  /** Nodes and skills as they are now. */
  surroundings?(session: Session): Promise<Surroundings>
  /** Whether other nodes are connected than those that are known; asked before each request. */
  nodesChanged?(known: Surroundings | null): boolean
  /** Instructions from the folders of files that a call touched, if the session has not seen them yet. */
  instructionsFor?(sessionId: string, workspace: string, files: readonly string[]): Promise<string | null>
  /** Hooks: programs of the user that run before and after calls. */
  hooks?: Pick<Hooks, 'any' | 'anyIn' | 'beforeCall' | 'afterCall'>
  /** How hard the model should think, if that was set for the session. */
  effortFor?(session: Session): Effort | undefined
  /**
   * What a turn of this session and its sub-agents may cost, if it has a limit of its own; with `allTurns`, what all turns
   * may that it has until the app quits.
   */
  capFor?(session: Session): (Pick<Cap, 'name' | 'dollars' | 'tokens'> & { allTurns?: boolean }) | undefined
  /** The folder that keeps the full text of results that were shortened for the model. */
  spillDir: string
  /** Whether models write session titles. Only the window shows titles, so only it asks for them. */
  titles?: boolean
  /** Whether a person can answer questions. */
  interactive: boolean
  /** Whether this run was told its limit of steps, which then counts also where it is the usual one. */
  stepsChosen?: boolean
  log: Logger
  clock?: () => number
}

interface PendingQuestion {
  question: Question
  call: ToolCall
  session: Session
}

export type TurnEnd = Extract<DeckhandEvent, { type: 'turn-end' }>

interface WaitOptions {
  origin?: TurnOrigin
  /** Withdraws the message while it is queued; later, stops its turn. */
  signal?: AbortSignal
  /** Called when the turn that answers the message begins. */
  started?(): void
}

/**
 * Everything that can be done with sessions. A call returns when its effect is saved; what follows is reported by
 * events. Error messages are written for the user.
 */
export interface Runner extends AgentActions, RewindPorts {
  createSession(session: NewSession): Session
  /** A new mode applies immediately, also to questions that are already open. */
  updateSession(id: string, patch: SessionPatch): Session
  deleteSession(id: string): void
  restoreSession(id: string): Session

  /**
   * Starts a turn, or queues the message if one is running. Returns the id of the message, which it keeps when it
   * leaves the queue.
   */
  send(sessionId: string, text: string, attachments: Attachment[]): string
  /**
   * Like `send`, but resolves with the end of the turn that answers this message. Rejects if the message is withdrawn
   * or the app closes first.
   */
  sendAndWait(sessionId: string, text: string, options?: WaitOptions): Promise<TurnEnd>
  /** Adds a message to the running turn, ahead of the queue. The model reads it before its next answer. */
  steer(sessionId: string, text: string, attachments: Attachment[]): void
  editQueued(sessionId: string, queuedId: string, text: string): QueuedMessage[]
  removeQueued(sessionId: string, queuedId: string): QueuedMessage[]
  steerQueued(sessionId: string, queuedId: string): void

  /** The newest messages before a position, an answer that is being written with all its words so far. */
  page(sessionId: string, beforeSeq: number | undefined, limit: number): TranscriptPage

  /** Ends the turn, its running calls and its questions. The queue is kept. */
  stop(sessionId: string): void
  /** Continues after a failure or an interruption. */
  retry(sessionId: string): void
  /** Discards everything after the user's last message, and answers it again. */
  regenerate(sessionId: string): void
  /**
   * A new session that shares the past up to a message of the user's, says something else there, and goes on; with
   * another model or agent, where one is named.
   */
  branch(sessionId: string, messageId: string, text: string, attachments?: Attachment[], model?: string): Session
  undoCompaction(sessionId: string, messageId: string): Message

  /** Answers a question, once. Also works after a restart: the turn then continues from there. */
  answer(questionId: string, answer: Answer): void
  questions(): PendingQuestion[]
  /**
   * Tries the command of a question in a view of the workspace; what comes of it is told as a change of the question.
   */
  tryCommand(questionId: string): Promise<void>
  discardTrial(questionId: string): Promise<void>
  /** Makes a call once more that the sandbox got in the way of, as if there were none: now, or after what runs. */
  runOutside(callId: string): void
  revokeRule(id: string): Rule[]

  /** Makes one call as a model would, in a message of its own. `given`: the arguments as JSON. */
  call(
    sessionId: string,
    name: string,
    given: string,
    options: { signal: AbortSignal; maxResultBytes?: number },
  ): Promise<CallOutcome>

  /**
   * Takes a call of another program through the gate: decided, asked about and recorded like one of ours, but run by
   * that program. The outcome is an error if it was refused.
   */
  permit(
    sessionId: string,
    call: { name: string; gist: string; access: Access; input: unknown },
    signal: AbortSignal,
  ): Promise<CallOutcome>

  /** What the meter of a session shows. */
  spending(sessionId: string): SpendingEvent

  /** Like `tell`, but also starts a turn. */
  goOn(sessionId: string, text: string): void
  /** Adds an event that the agent reads with its next request. */
  tell(sessionId: string, text: string, forUser?: string): void
  setTodo(sessionId: string, items: TodoItem[]): void
  /** One small request to the session's model beside the conversation; empty if no whole answer came. */
  askModel(sessionId: string, request: SmallRequest): Promise<string>
  /** The full text of a result that the card shows shortened. */
  output(callId: string): Promise<string>

  /** Resolves when the session has no turn running. */
  settled(sessionId: string): Promise<void>
  /** Stops all turns and all listeners. Open questions are kept for the next start. */
  close(): Promise<void>
}
