/** Differences that a person looks through: of a session, and of the work tree of a repository. */

/** `session`: since the session's first change. `unstaged`: work tree against index. `staged`: index against the last commit. */
export type ReviewScope = 'session' | 'unstaged' | 'staged'

export interface ReviewFile {
  /** Relative to the workspace, with slashes. */
  path: string
  kind: 'add' | 'update' | 'delete' | 'move' | 'conflict' | 'submodule'
  /** Where a moved file was. */
  from?: string
  /** `null`: not counted. */
  added: number | null
  removed: number | null
  /** Names both sides: another one means that the file has changed since. */
  stamp: string
  /** Something else was at work at the same time; it may have done this. */
  shared?: true
  /** Looked at by the user as it is now. */
  viewed?: true
}

export interface ReviewRepository {
  /** `null` on a detached HEAD. */
  branch: string | null
  upstream: string | null
  ahead: number
  behind: number
  hasCommits: boolean
  remotes: string[]
  unstaged: ReviewFile[]
  staged: ReviewFile[]
  /** Whether there are more files than are listed. */
  cut: boolean
  /** The program for pull requests that is installed and knows the host of the remote. */
  forge: 'gh' | 'glab' | null
}

export interface ReviewList {
  session: ReviewFile[]
  sessionCut: boolean
  /** Files of the session that were accepted, and so are not listed. */
  accepted: string[]
  /** `null` where the workspace is in no repository. */
  repository: ReviewRepository | null
  /** Why the repository cannot be read. */
  problem?: string
}

export interface ReviewLine {
  kind: 'same' | 'add' | 'remove'
  text: string
  before?: number
  after?: number
  /** Of a changed line, by which it is picked. */
  index?: number
  /** The text ends with it, without a line break. */
  unended?: true
}

export interface ReviewHunk {
  before: number
  after: number
  lines: ReviewLine[]
}

export interface ReviewDiff extends ReviewFile {
  scope: ReviewScope
  hunks: ReviewHunk[]
  /** Why there are no lines to see: binary, too large, not kept. */
  note?: string
  /** Whether lines and hunks can be picked, and whether the whole file can be accepted or reverted. */
  canPick: boolean
  canAccept: boolean
  canRevert: boolean
  /** Why not. */
  obstacle?: string
}

export interface ReviewComment {
  id: string
  sessionId: string
  scope: ReviewScope
  path: string
  /** Which numbers the lines have: of the text before, or after. */
  side: 'before' | 'after'
  line: number
  endLine: number
  /** The lines themselves, as they were. */
  excerpt: string
  text: string
}

export type ReviewEvent =
  | { type: 'review-comments'; sessionId: string; comments: ReviewComment[] }
  /** Something was accepted, reverted, staged or committed: lists are to be read again. */
  | { type: 'review-changed'; sessionId: string }

/** What the user wants to be done with the work tree. */
export type ShipWish =
  | { kind: 'commit'; message: string }
  | { kind: 'push' }
  | { kind: 'pull-request'; title: string; body: string; draft: boolean }

/** A command that is about to be run for the user, with what the gate says of it. */
export interface ShipPlan {
  id: string
  kind: ShipWish['kind']
  /** As it would be typed. */
  command: string
  /** What it does, in sentences. */
  effects: string[]
  /** What speaks against it. */
  warnings: string[]
  /** Why the gate would ask or let it through. */
  reason: string
  /** It cannot be run, for this reason. */
  obstacle?: string
  /** To be typed first. */
  typedWord?: string
}
