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
import type { HostedCalls } from './hosted/calls'
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
  /** 0 where nobody says how large it is. */
  contextWindow: number
  /** What to go by then; the same where it is known. */
  assumedWindow?: number
  /** The levels that it has. */
  efforts?: readonly Effort[]
  /** Tokens that it may think, beside its answer. */
  thinkingTokens?: number
  price?: ModelPrice
}

export interface RunnerOptions {
  store: Store
  /** Called after the thing that it tells of has been saved. */
  publish(event: DeckhandEvent): void
  toolsetFor(session: Session): Toolset
  /** Throws with words for the user when there is no such model. */
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
  /** What commands of a session run in, where its switch is on. */
  sandbox?: Pick<Sandbox, 'enter'>
  /** Where commands run that nobody was asked about. */
  cages?: Pick<SessionCages, 'enter' | 'warm'>
  trialRunner?: TrialRunner
  /** Finds out what a call would destroy; loaded when it is needed. */
  losses?: () => Promise<LossFinder>
  /** The programs that sessions were opened from, with their terminals and files. */
  clients?: Pick<SessionClients, 'of'>
  /** Agents of other makers that play the turns of sessions which have chosen them. */
  hosted?: HostedPorts
  /** What the agent or the user waits for in its processes. */
  watches?: Pick<Watches, 'onTripped'>
  settings(): Settings
  /** `tools` are those that the request carries; `stated` is what the prompt says about the surroundings. */
  systemPrompt(session: Session, tools: readonly ToolDefinition[], stated?: Surroundings): string | Promise<string>
  /** Nodes and skills as they are now. */
  surroundings?(session: Session): Promise<Surroundings>
  /** Whether other nodes are connected than those that are known; asked before each request. */
  nodesChanged?(known: Surroundings | null): boolean
  /** Instructions that folders have for files which a call has touched, and that the session was not told yet. */
  instructionsFor?(sessionId: string, workspace: string, files: readonly string[]): Promise<string | null>
  /** Programs of the user's that are asked before and after calls. */
  hooks?: Pick<Hooks, 'any' | 'beforeCall' | 'afterCall'>
  /** How hard the model should think, where somebody has said so. */
  effortFor?(session: Session): Effort | undefined
  /** What a turn of this session and its sub-agents may cost, where somebody has said so. */
  capFor?(session: Session): Pick<Cap, 'name' | 'dollars' | 'tokens'> | undefined
  /** Where results too long for the model are kept whole. */
  spillDir: string
  /** Whether sessions get titles from their models: in the window, where somebody reads them. */
  titles?: boolean
  /** Whether anybody is there to answer a question of the model's. */
  interactive: boolean
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
  /** Takes the message back while it waits, and stops its turn once that runs. */
  signal?: AbortSignal
  /** The turn that answers it begins. */
  started?(): void
}

/**
 * All that can be done with sessions. Calls return once the effect is saved; what follows from it is told by events.
 * Errors that are thrown here are words for the user.
 */
export interface Runner extends HostedCalls, RewindPorts {
  createSession(session: NewSession): Session
  /** A new mode counts at once, also for questions that already wait. */
  updateSession(id: string, patch: SessionPatch): Session
  deleteSession(id: string): void
  restoreSession(id: string): Session

  /**
   * Starts a turn, or joins the queue when one is running. Answers with the id that the message has, or will have once
   * its turn has come.
   */
  send(sessionId: string, text: string, attachments: Attachment[]): string
  /**
   * The same, and settles with the end of the turn that answers this very message. Rejects when the message is taken back
   * or the app closes before that.
   */
  sendAndWait(sessionId: string, text: string, options?: WaitOptions): Promise<TurnEnd>
  /** Into the running turn, ahead of the queue; the model reads it before its next answer. */
  steer(sessionId: string, text: string, attachments: Attachment[]): void
  editQueued(sessionId: string, queuedId: string, text: string): QueuedMessage[]
  removeQueued(sessionId: string, queuedId: string): QueuedMessage[]
  steerQueued(sessionId: string, queuedId: string): void

  /** The newest messages before a position, an answer that is being written with all its words so far. */
  page(sessionId: string, beforeSeq: number | undefined, limit: number): TranscriptPage

  /** Ends the turn, its running calls and its questions. The queue is kept. */
  stop(sessionId: string): void
  /** Goes on after a failure or an interruption, with what is there. */
  retry(sessionId: string): void
  /** Throws away what followed the last message of the user's, and answers it anew. */
  regenerate(sessionId: string): void
  /**
   * A new session that shares the past up to a message of the user's, says something else there, and goes on; with another
   * model or agent, where one is named.
   */
  branch(sessionId: string, messageId: string, text: string, attachments?: Attachment[], model?: string): Session
  undoCompaction(sessionId: string, messageId: string): Message

  /** Settles a question, once. Works after a restart as well: then the turn goes on from there. */
  answer(questionId: string, answer: Answer): void
  questions(): PendingQuestion[]
  /** Tries the command of a question in a view of the workspace; what comes of it is told as a change of the question. */
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
   * Takes a call of another program through the gate: decided, asked about and recorded like one of ours, but run by that
   * program. The outcome is an error if it was refused.
   */
  permit(
    sessionId: string,
    call: { name: string; gist: string; access: Access; input: unknown },
    signal: AbortSignal,
  ): Promise<CallOutcome>

  /** What the meter of a session shows. */
  spending(sessionId: string): SpendingEvent

  /** The same as `tell`, and the agent goes on because of it. */
  goOn(sessionId: string, text: string): void
  /** Something that happened, for the agent to read when it next looks. */
  tell(sessionId: string, text: string, forUser?: string): void
  setTodo(sessionId: string, items: TodoItem[]): void
  /** One small request to the session's model beside the conversation; empty if no whole answer came. */
  askModel(sessionId: string, request: SmallRequest): Promise<string>
  /** The whole of a result that the card shows shortened. */
  output(callId: string): Promise<string>

  /** Resolves when the session has no turn running. */
  settled(sessionId: string): Promise<void>
  /** Stops all turns, keeping questions for the next start, and listens to nothing more. */
  close(): Promise<void>
}
