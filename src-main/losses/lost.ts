import type { LossKind } from '../../src-preload/contract/losses'

/** A file that a call would destroy. */
export interface LostFile {
  /** Absolute. */
  path: string
  kind: Extract<LossKind, 'file' | 'changes' | 'untracked' | 'ignored'> | 'implied'
  size: number
  mtimeMs: number
}

/** A name in a repository whose commits would be left without one. */
export interface LostName {
  kind: Extract<LossKind, 'branch' | 'stash' | 'commits'>
  name: string
  detail?: string
  at?: number
  /** The name itself, where that would go. */
  ref?: string
  /** The commit, and the folder of the repository's shared files. */
  id: string
  home: string
}

/** Everything that a call would destroy, in full. */
export interface Lost {
  files: LostFile[]
  names: LostName[]
  /** Folders that tools can make again; they are not looked into. */
  generated: string[]
  repositories: { path: string; detail: string }[]
  /** Files of git itself that have to come back together with the rest. */
  gitFiles: string[]
  notes: Set<string>
  /** Not everything was looked at. */
  cut: boolean
}

export const nothingLost = (): Lost => ({
  files: [],
  names: [],
  generated: [],
  repositories: [],
  gitFiles: [],
  notes: new Set(),
  cut: false,
})
