/** What a call would destroy that exists nowhere else, as far as that can be told before it runs. */
export type Losses =
  /** The card is shown before this is known. */
  | { status: 'looking' }
  | { status: 'unknown' }
  | {
      status: 'known'
      groups: LossGroup[]
      /** What could not be looked at, in whole sentences. */
      notes: string[]
      /** What a copy would hold; `null` where there is nothing to copy. */
      copy: CopyOffer | null
    }

export type LossKind =
  /** Files in a folder without a repository. */
  | 'file'
  /** Files that git knows, with changes that are in no commit. */
  | 'changes'
  | 'untracked'
  | 'ignored'
  /** Folders such as node_modules, which tools can make again. */
  | 'generated'
  | 'repository'
  | 'commits'
  | 'branch'
  | 'stash'

export interface LossGroup {
  kind: LossKind
  count: number
  /** There may be more. */
  atLeast?: true
  /** The first of them. */
  items: LossItem[]
}

export interface LossItem {
  name: string
  detail?: string
  owner?: LossOwner
}

/** Who wrote it last. */
export type LossOwner = { by: 'user'; since: number } | { by: 'session'; sessionId: string }

export interface CopyOffer {
  files: number
  bytes: number
  /** Why no copy can be taken, in a whole sentence. */
  obstacle?: string
}
