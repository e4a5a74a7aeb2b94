import type { Content } from '../../src-preload/contract/content'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { FormValues, QuestionForm } from '../../src-preload/contract/form'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Display, ToolErrorKind } from '../../src-preload/contract/tool-calls'
import type { Access } from '../approval/types'
import type { SandboxedCall } from '../sandbox/sandbox'

/** What a call knows about where it stands. Everything else a tool needs is handed to the factory that makes it. */
export interface ToolContext {
  sessionId: string
  callId: string
  /** The folder the session works in; relative paths start here. */
  workspace: string
  signal: AbortSignal
  /** What the text of a result may weigh; a tool that knows a better place to stop than the middle stops there. */
  resultBytes: number
  /** Set by the gate: must be in the environment of whatever the call starts. */
  env?: Readonly<Record<string, string>>
  /** The real paths that the gate has looked at; a tool that changes files changes no others. */
  checked?: readonly string[]
  /** What commands of this call run in. A tool that starts one says so in its `access`; the gate may take it away. */
  sandbox?: SandboxedCall
  /** The command was tried before: it is not run again, but what came of it is put in place. */
  rehearsed?: Rehearsed
  /** Shows something while the call runs. */
  show(display: Display, progress?: string): void
  /** Puts a question of the model's to the user. Absent where nobody can answer. */
  askUser?(question: string, choices: string[]): Promise<string>
  /** Puts a form to the user for whoever the call works with. `null`: put aside; `false`: refused. */
  askForm?(title: string, form: QuestionForm, signal: AbortSignal): Promise<FormValues | false | null>
}

export interface Rehearsed {
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
  /** The schema is another program's, which looks at the arguments by itself. */
  foreignSchema?: true
  /** Arguments that are taken although the schema does not tell of them. */
  unlisted?: readonly string[]
  /** Throws `ToolFailure('InvalidArgs')`. */
  parse(raw: unknown): Input
  /** What the call will touch: all that the gate needs to decide. Free of effects. */
  access(input: Input, context: ToolContext): Access | Promise<Access>
  /** One line for the card. */
  gist(input: Input): string
  /** Changes nothing, so that it may run beside others of its kind. */
  readOnly: boolean
  /** The change it would make, for the approval card. */
  preview?(input: Input, context: ToolContext): Promise<FileDiff[]>
  /** The input with another command in it, for "edit and allow"; only where `access` names a command. Throws like `parse`. */
  withCommand?(input: Input, command: string): Input
  run(input: Input, context: ToolContext): Promise<ToolResult>
}

/** A failure that the model should read; anything else that is thrown is a bug or an abort. */
export class ToolFailure extends Error {
  constructor(
    readonly kind: ToolErrorKind,
    message: string,
    /** What the tool has to say beyond the message, such as the output so far. */
    readonly detail?: { content?: Content[]; display?: Display },
  ) {
    super(message)
    this.name = 'ToolFailure'
  }
}

/** A failure as a vocabulary puts it into words. */
export interface RenderedFailure {
  name: string
  kind: ToolErrorKind
  message: string
  /** What the tool itself had to say. */
  content?: Content[]
  /** The user said no, and perhaps something with it. */
  denied?: { note?: string }
}

/** A vocabulary: names for tools, and its own way to render a failure. */
export interface Toolset {
  name: string
  /** Everything that can be called now; it may change between two requests. */
  readonly tools: ReadonlyMap<string, Tool>
  /** What a request of this session tells the model about; all of them where this is left out. */
  offered?(sessionId: string): ReadonlySet<string>
  /**
   * For a tool that is not among `tools` but may come, or could have been: waits for it with a limit, and says why it is not
   * there; null where it has come, or where nothing is known of it.
   */
  whyMissing?(name: string, folder: string, signal: AbortSignal): Promise<string | null>
  /** What the text of a result may weigh, where the vocabulary has a law of its own. */
  maxResultBytes?: number
  /** How often the model is asked in one turn where nobody says otherwise, and then no more. */
  maxIterations?: number
  /** How a text that weighs too much is cut, where the vocabulary has a law of its own; what comes back fits `budget` bytes. */
  cut?(text: string, budget: number): string
  /** How the model is told that a background process ended, where the vocabulary has a form of its own for it. */
  exitMessage?: { tailChars: number; of(process: ProcessInfo, outputTail: string): string }
  renderFailure(failure: RenderedFailure): Content[]
}

/** A tool as a provider's request carries it. */
export interface ToolDefinition {
  name: string
  description: string
  parameters: Record<string, unknown>
}

/** The tools as the next request of a session carries them; without a session, as its first one does. */
export const definitionsOf = (toolset: Toolset, sessionId = ''): ToolDefinition[] => {
  const offered = toolset.offered?.(sessionId)
  return [...toolset.tools]
    .filter(([name]) => !offered || offered.has(name))
    .map(([name, tool]) => ({ name, description: tool.description, parameters: tool.schema }))
}
