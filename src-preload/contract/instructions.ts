/** Instructions: AGENTS.md and CLAUDE.md files that tell an agent how to work in a folder. */

export interface InstructionFile {
  /** Relative to the workspace, or from `~`. */
  path: string
  /** `user`: the user's own; `folder`: the workspace's; `below`: of a folder in it, read with a file there. */
  source: 'user' | 'folder' | 'below'
  chars: number
  /** Longer than what the agent gets of it. */
  cut: boolean
  /** The file that imports it by `@path`. */
  importedBy?: string
}

/** An import that was left out. */
export interface LeftOutImport {
  path: string
  importedBy: string
  why: 'outside' | 'secret' | 'missing' | 'unreadable' | 'limit'
  /** The file itself, where the user may allow it. */
  target?: string
}

export interface InstructionsView {
  sessionId: string
  folder: string
  /** `new`: the folder brings instructions, and the user has said nothing about them yet. */
  state: 'none' | 'new' | 'used' | 'off'
  files: InstructionFile[]
  leftOut: LeftOutImport[]
}

/** What a session is told by such files has changed, or was asked for. */
export type InstructionsEvent = { type: 'instructions'; instructions: InstructionsView }
