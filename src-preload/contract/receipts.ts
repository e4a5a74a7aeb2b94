/** What calls have done to the files of a workspace, and what they left running. */

import type { FileDiff } from './file-diff'

/** What stood at a path. */
export interface FileImage {
  kind: 'file' | 'folder' | 'link' | 'other'
  /** Permission bits. */
  mode: number
  size: number
  /** Of the content that is kept. */
  hash?: string
  /** Where a link leads. */
  target?: string
  /** Why the content is not kept. */
  unkept?: 'large' | 'secret' | 'full' | 'late' | 'sealed' | 'unreadable'
}

export interface ReceiptFile {
  /** Relative to the workspace, with slashes; whole for a file outside it, of which a copy was kept. */
  path: string
  /** `null`: nothing was there. */
  before: FileImage | null
  after: FileImage | null
  /** Something else was at work at the same time; it may have done this. */
  shared?: true
  /** It is back to what it was before. What the user chose to give up for that is kept here. */
  undone?: { gaveUp?: FileImage }
}

export interface LeftProcess {
  pid: number
  command: string
}

export interface LeftPort {
  port: number
  /** Reachable from other machines. */
  open: boolean
}

/** In short, for a card or a list. A call has at most one. */
export interface ReceiptSummary {
  callId: string
  sessionId: string
  workspace: string
  /** One line: the command, or the file. */
  gist: string
  at: number
  /** `open`: it still runs, or was left running. `incomplete`: Deckhand ended before it could look. */
  state: 'open' | 'done' | 'incomplete'
  /** Files only; folders are counted below. */
  created: number
  changed: number
  deleted: number
  undone: number
  /** Folders that were made, changed or deleted and hold none of these files. */
  folders: number
  /** So many files were copied before it ran, because the user wanted that. */
  copied?: number
  processes: LeftProcess[]
  ports: LeftPort[]
  /** What limits hide, in whole sentences. */
  notes: string[]
}

export interface Receipt extends ReceiptSummary {
  files: ReceiptFile[]
}

export type UndoProblem =
  /** It was changed since: undoing it would undo that too. */
  | 'changed-since'
  /** What it was is not kept, or not any more. */
  | 'not-kept'
  /** A folder that something else is in now. */
  | 'not-empty'
  /** The way there is gone, or leads somewhere else now. */
  | 'no-way'

/** What undoing (or redoing) would do to one file, as things stand. */
export interface UndoStep {
  path: string
  diff: FileDiff
  problem?: UndoProblem
  /** It can be done all the same, when the user says so: what is there now is kept. */
  canForce?: true
}

export interface UndoResult {
  receipt: Receipt
  done: string[]
  left: { path: string; problem: UndoProblem }[]
}

/** How much is kept for undoing. */
export interface KeptSize {
  bytes: number
  limit: number
}

export type ReceiptsEvent = { type: 'receipt'; receipt: ReceiptSummary } | { type: 'receipt-removed'; callId: string }
