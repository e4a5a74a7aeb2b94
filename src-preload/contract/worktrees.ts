/** A work tree of a repository that belongs to one session: a branch and a folder of its own. */
export interface Worktree {
  sessionId: string
  /** The main folder of the repository, where the session was started from. */
  repository: string
  path: string
  branch: string
  /** The branch that it came from and goes back to. */
  base: string
  /** What PORT is for its commands. */
  port: number
}

export type WorktreeEnd = 'merge' | 'rebase' | 'keep' | 'discard'

/** What one way to end a work tree would do, as things stand. */
export interface WorktreeEndPlan {
  end: WorktreeEnd
  effects: string[]
  warnings: string[]
  /** Files that would conflict. */
  conflicts: string[]
  /** It cannot be done, for this reason. */
  obstacle?: string
  /** Names what was looked at: another one means that things have changed since. */
  stamp: string
}

/** What is done for every new work tree of a repository. */
export interface WorktreeSetup {
  /** A command that is run in it first; empty for none. */
  command: string
  /** Files that git does not have, such as `.env`: copied from the main folder. */
  copy: string[]
}

export type WorktreesEvent = { type: 'worktrees'; worktrees: Worktree[] }
