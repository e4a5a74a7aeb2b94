import type {
  Action,
  BoundContent,
  Rule,
  RuleMatch,
  RuleScope,
  SubCommand,
  Verdict,
} from '../../src-preload/contract/approval'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import type { GitIndex } from './paths/git-index'
import type { Uncommitted } from './paths/uncommitted'

export interface PathAccess {
  path: string
  access: 'read' | 'write' | 'delete'
  /** Nothing of what is there is kept: the change does not build on it. */
  whole?: true
}

/** What a call wants to touch: all that the gate knows of it. A read without any resource is harmless (a clock, a list). */
export interface Access {
  action: Action
  node: string
  cwd: string
  workspace: string
  /** Text for a shell. */
  command?: string
  /** For tools that start a program without a shell. */
  argv?: readonly string[]
  /** The shell that reads `command`. */
  shell?: 'login' | 'sh'
  /** Variables that the call itself sets for its command. */
  env?: Readonly<Record<string, string>>
  /** The command is typed into a terminal that is already running, so that its folder, aliases and functions are unknown. */
  typed?: boolean
  /** The characters of the whole line that its reader will get, with what was typed before; `command` is what is shown. */
  line?: string
  /** The process that is typed into, and what it is called. */
  processId?: string
  processName?: string
  /** What reads the typed text: a shell (also one somewhere else), or a program that is none. */
  typedInto?: 'shell' | 'program'
  paths?: readonly PathAccess[]
  hosts?: readonly string[]
  /** Names what other tools do, the same in every vocabulary, such as `schedule.add`. */
  toolKey?: string
  /** What the call sends, for the card, where it runs no command. */
  shown?: string
  /** Something about the tool itself that a person should see first, in words: it asks in every mode. */
  flagged?: string
  /** Text from the web or from an MCP server has entered the session. */
  tainted?: boolean
  /** The command will run in the session's sandbox, unless it is allowed to leave it. */
  sandboxed?: boolean
  /** Its tool can start it in the session's cage. */
  cageable?: boolean
  /** It runs to its end and then is over, so that it can be tried before. */
  triable?: boolean
}

/** Everything the user has said so far that bears on the call. */
export interface Policy {
  mode: ApprovalMode
  rules: readonly Rule[]
  sessionId: string
  processId?: string
  /** The app's own folders: nothing may write there, whatever the mode. */
  ownFolders?: readonly string[]
  /** Folders inside `ownFolders` that hold the session's own results, and may be read. */
  readableFolders?: readonly string[]
  /** The session works in a sandbox: `hosts` are those that its commands may connect to. */
  sandbox?: { hosts: readonly string[] }
  /**
   * Whether what runs without a question runs in a cage. `false`: only the programs of the kernel run unasked. Not said:
   * commands are judged by their words alone.
   */
  cage?: boolean
  /** Another machine that the call goes to: only permissions for that one count. */
  node?: string
  now: number
}

export type FileKind = 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'block' | 'character'

/** The little that the gate may see of a node's files. Answers `null` for what is missing or cannot be read. */
export interface FileView {
  readonly os: 'linux' | 'darwin' | 'windows'
  readonly home: string
  /** The canonical path, resolved as the kernel would. */
  realpath(path: string): string | null
  /** The same for a folder that is not the agent's to replace, such as the workspace itself: it may be a second old. */
  root?(path: string): string | null
  /** Of the path itself, not of what a link points to. */
  lstat(path: string): { kind: FileKind; links: number } | null
  readText(path: string, maxBytes: number): string | null
  list(folder: string): string[] | null
  /** The same with what each of them is. */
  entries?(folder: string): { name: string; kind: FileKind }[] | null
  /** What the index of a repository says about its files. */
  gitIndex?(path: string): GitIndex | null
  /** What of a work tree is in no commit. */
  uncommitted?(root: string, index: string, look: { untracked: boolean; ignored: boolean }): Uncommitted | null
  /** The file that a bare program name would start, canonical. */
  which(program: string): string | null
}

/** One thing that a rule can speak of: an invocation, a path, a host or a tool. */
export type RuleTarget =
  | { kind: 'command'; argv: readonly string[]; program: string | null; cwd: string | null; bound?: BoundContent[] }
  | { kind: 'path'; path: string; access: PathAccess['access'] }
  | { kind: 'host'; host: string }
  | { kind: 'tool'; key: string }

/** A rule that the card may offer. A compound command needs one match for each part that asks. */
export interface OfferedRule {
  scope: RuleScope
  matches: RuleMatch[]
  sentence: string
  /** What the rule is about, where that is not what the call does: a command may read only because a folder is open. */
  action?: Action
}

export interface Decision {
  verdict: Verdict
  /** In plain words: why it runs, asks or is refused. */
  reason: string
  subCommands: SubCommand[]
  /** Set for what never runs by itself; the user has to type it. */
  typedWord?: string
  /** The rule that let it through; the first one where several were needed. */
  ruleId?: string
  /** Every rule that had a part in it. */
  ruleIds: string[]
  offers: OfferedRule[]
  /** Paths and hosts that the call would touch, for the card. */
  resources: string[]
  /** Everything that a rule could speak of. */
  targets: RuleTarget[]
  /** Of those, what neither the mode nor a rule let through: what later rules are back-tested with. */
  asking?: RuleTarget[]
  /** What has changed since the user allowed the same command; `null` stands for nothing there. */
  changed?: { name: string; before: string | null; after: string | null }[]
  /** It cannot be done inside the sandbox: once allowed, it runs outside. */
  leaves?: boolean
  /** It runs in the sandbox, unless it leaves it; `writable`: folders besides the workspace that are open there. */
  contained?: { writable: readonly string[] }
  /** It runs in the session's cage, with these folders besides the workspace. */
  cage?: { kind: 'read' | 'write'; readable: readonly string[]; writable: readonly string[] }
  /** What the cage got in the way of, in words: the question is whether it may run outside. */
  blocked?: string
  /** It would have been asked about, and nobody is there to answer. */
  unattended?: true
  /** A command that changes nothing. */
  readsOnly?: true
  /** Where links may lead that a search finds below the folders that it was allowed. */
  follow?: readonly string[] | 'anywhere'
  /** It was read as bash reads it and runs without a question: it has to be run by a plain bash. */
  knownShell?: true
  /** Must be in the environment when it runs without anybody having looked. */
  env?: Readonly<Record<string, string>>
}
