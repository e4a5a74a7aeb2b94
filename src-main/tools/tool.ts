import type { Content } from '../../src-preload/contract/content'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { FormValues, QuestionForm } from '../../src-preload/contract/form'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Display, ToolErrorKind } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import { isRecord } from '../is-record'
import type { SandboxedCall } from '../sandbox/sandbox'
import type { SessionClient } from './client/session-client'

/** The context of a call. Everything else that a tool needs is passed to its factory. */
export interface ToolContext {
  sessionId: string
  callId: string
  /** The folder the session works in; relative paths start here. */
  workspace: string
  signal: AbortSignal
  /** The size limit for the text of a result; a tool that knows a better place to cut than the middle cuts there. */
  resultBytes: number
  /** Set by the gate: must be in the environment of everything that the call starts. */
  env?: Readonly<Record<string, string>>
  /**
   * Set by the gate: its command was read as bash reads it and runs without a question, so a plain bash has to run it.
   */
  knownShell?: true
  /** Set by the gate: where links may lead that a search finds on its way; by default into the workspace. */
  follow?: readonly string[] | 'anywhere'
  /** The real paths that the gate has approved; a tool that changes files must not change others. */
  checked?: readonly string[]
  /** The sandbox for commands of this call. A tool that starts commands says so in `access`; the gate may remove it. */
  sandbox?: SandboxedCall
  /** Opens the session's cage for a command that nobody was asked about; `null` if it cannot be made. */
  enterCage?(cage: NonNullable<Decision['cage']>): Promise<SandboxedCall | null>
  /** The command was tried before: it is not run again, but the result of the trial is applied. */
  tried?: TriedCommand
  /** The program that the session was opened from, if it offers terminals or files to our tools. */
  client?: SessionClient
  /** Shows something while the call runs. */
  show(display: Display, progress?: string): void
  /** Asks the user a question from the model. Absent if nobody can answer. */
  askUser?(question: string, choices: string[]): Promise<string>
  /** Puts a plan to the user, in a session that plans first. */
  submitPlan?(plan: string): Promise<PlanVerdict>
  /** Shows the user a form from the server that the call uses. `null`: dismissed; `false`: declined. */
  askForm?(title: string, form: QuestionForm, signal: AbortSignal): Promise<FormValues | false | null>
}

/** What became of a plan; `plan` as the user approved it. */
type PlanVerdict = { decision: 'approved'; plan: string } | { decision: 'changes' | 'rejected'; note: string }

export interface TriedCommand {
  /** The process of the trial, which has ended. */
  processId: string
  /** Throws `ToolFailure` when the workspace has changed since. */
  apply(): Promise<void>
}

export interface ToolResult {
  /** For the model. */
  content: Content[]
  /** For the screen. */
  display?: Display
  isError?: true
}

/**
 * A tool has no name: a toolset gives it one. It never asks for permission, cuts its output or catches its own bugs;
 * `dispatch` does that for all of them.
 */
export interface Tool<Input = unknown> {
  description: string
  /** JSON schema of the arguments, as the model sees it; `type: "object"` at its root. */
  schema: Record<string, unknown>
  /** The schema belongs to another program, which validates the arguments itself. */
  foreignSchema?: true
  /** Arguments that are accepted although they are not in the schema. */
  unlisted?: readonly string[]
  /** Throws `ToolFailure('InvalidArgs')`. */
  parse(raw: unknown): Input
  /** What the call will touch: everything that the gate needs to decide. Has no side effects. */
  access(input: Input, context: ToolContext): Access | Promise<Access>
  /** One line for the card. */
  gist(input: Input): string
  /**
   * Names that the description lists, each with a line about it, and that may change while a session goes on. A session
   * keeps the description that it began with, and is told what has changed.
   */
  listing?(): ReadonlyMap<string, string>
  /** Changes nothing, so it may run in parallel with other read-only calls. */
  readOnly: boolean
  /** The change it would make, for the approval card. */
  preview?(input: Input, context: ToolContext): Promise<FileDiff[]>
  /** The input with another command, for "edit and allow"; only if `access` names a command. Throws like `parse`. */
  withCommand?(input: Input, command: string): Input
  run(input: Input, context: ToolContext): Promise<ToolResult>
}

/** A failure that the model should read; anything else that is thrown is a bug or an abort. */
export class ToolFailure extends Error {
  constructor(
    readonly kind: ToolErrorKind,
    message: string,
    /** Further content besides the message, such as the output so far. */
    readonly detail?: { content?: Content[]; display?: Display },
  ) {
    super(message)
    this.name = 'ToolFailure'
  }
}

/** A failure, to be rendered by a vocabulary. */
export interface RenderedFailure {
  name: string
  kind: ToolErrorKind
  message: string
  /** The tool's own content. */
  content?: Content[]
  /** The user denied it, perhaps with a note. */
  denied?: { note?: string }
}

/** A vocabulary: names for tools, and its own way to render a failure. */
export interface Toolset {
  name: string
  /** All tools that can be called now; may change between two requests. */
  readonly tools: ReadonlyMap<string, Tool>
  /** The tools that a request of this session describes to the model; by default all of them. */
  offered?(sessionId: string): ReadonlySet<string>
  /**
   * For a tool that is not in `tools` but may appear, or could have existed: waits for it with a limit, and returns why
   * it is missing; null if it has appeared, or if nothing is known of it.
   */
  whyMissing?(name: string, folder: string, signal: AbortSignal): Promise<string | null>
  /** The size limit for the text of a result, if the vocabulary defines one. */
  maxResultBytes?: number
  /** The default limit on requests to the model in one turn. */
  maxIterations?: number
  /** How an oversized text is cut, if the vocabulary defines that; the result must fit into `budget` bytes. */
  cut?(text: string, budget: number): string
  /** How the model is told that a background process ended, if the vocabulary defines that. */
  exitMessage?: { tailChars: number; of(process: ProcessInfo, outputTail: string): string }
  renderFailure(failure: RenderedFailure): Content[]
}

/** A tool as it is sent to a provider. */
export interface ToolDefinition {
  name: string
  description: string
  parameters: Record<string, unknown>
}

/** The tools for the next request of a session; without a session, for its first one. */
export const definitionsOf = (toolset: Toolset, sessionId = ''): ToolDefinition[] => {
  const offered = toolset.offered?.(sessionId)
  return [...toolset.tools]
    .filter(([name]) => !offered || offered.has(name))
    .map(([name, tool]) => ({ name, description: tool.description, parameters: tool.schema }))
}

/** What the schema of a tool says of its arguments. */
export const propertiesOf = ({ schema }: Tool): Record<string, unknown> =>
  isRecord(schema.properties) ? schema.properties : {}
