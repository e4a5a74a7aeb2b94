/** Going back to an earlier message: what would change, and what cannot be brought back. */

import type { FileDiff } from './file-diff'
import type { UndoProblem } from './receipts'

/** What goes back. */
export type RewindScope = 'chat' | 'files' | 'both'

export type RewindProblem =
  | UndoProblem
  /** Between two calls of the agent somebody else changed it: going back loses that change. */
  | 'changed-between'
  /** Something else was at work at the same time, and may have made this change. */
  | 'shared'

/** What going back would do to one file, as things stand. */
export interface RewindStep {
  workspace: string
  path: string
  diff: FileDiff
  problem?: RewindProblem
  /** It can go back all the same, when the user says so: what is there now is kept. */
  canForce?: true
}

export interface RewindPreview {
  /** How many messages would go. */
  messages: number
  steps: RewindStep[]
  /** What does not go back, in whole sentences. */
  stays: string[]
}

/** A file that the user was asked about, and said yes to. */
export interface RewindChoice {
  workspace: string
  path: string
}
