import type { FileDiff } from './file-diff'
import type { QuestionForm } from './form'
import type { Losses } from './losses'
import type { TrialState } from './sandbox'
import type { WorkMode } from './sessions'

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
  kind: 'command' | 'file' | 'tool' | 'loop' | 'ask-user' | 'plan'
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
  /** What the agent wants to do, in Markdown. */
  plan?: string
  /** Fields to fill in; the reply is their values as JSON. */
  form?: QuestionForm
  /** The command can be tried in a copy of the workspace first, or has been. */
  trial?: TrialState
  /** Words of the call that the agent read somewhere, and that the user did not write. */
  origins?: WordOrigin[]
  /** What it would destroy that exists nowhere else; absent where its words name nothing of the kind. */
  losses?: Losses
  createdAt: number
}

/** Where words of a call stand, word for word, in something that the agent read. */
export interface WordOrigin {
  /** As they stand in the call. */
  words: string[]
  /** The call that read them; a file that the user attached was read by none. */
  callId?: string
  place:
    | { kind: 'file' | 'attachment'; path: string; line?: number }
    | { kind: 'output'; command: string }
    | { kind: 'tool'; name: string; gist: string }
  /** The line that they stand in, or the part of it around them. */
  line: string
}

/** The only thing the window may say about a question. `typed` is the word that a dangerous one asks for. */
export type Answer =
  /** `copy`: what would be lost is copied before it runs. */
  | { decision: 'allow'; scope: 'once' | 'session'; typed?: string; copy?: true }
  /** `days`: how long the rule holds; without it, until it is revoked. */
  | { decision: 'allow'; scope: 'rule'; offer: number; days?: number; typed?: string; copy?: true }
  | { decision: 'allow-edited'; command: string; typed?: string }
  /** Takes over what a trial has changed, in place of running the command. */
  | { decision: 'apply'; typed?: string }
  /** `unanswered`: put aside rather than refused, where that makes a difference to who asks. */
  | { decision: 'deny'; note?: string; unanswered?: true }
  | { decision: 'reply'; text: string }
  /** The plan as the user may have edited it, and what the session may do from then on. */
  | { decision: 'approve-plan'; plan: string; mode: WorkMode }

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
  /** Command lines of one program that people mean as one, by the name that its record gives them: `git`, `commit`. */
  | { kind: 'family'; name: string; family: string; program?: string; cwd?: string; bound?: BoundContent[] }
  /** Creating and changing everyday files below a folder of the workspace, not deleting them. */
  | { kind: 'files'; folder: string }
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
