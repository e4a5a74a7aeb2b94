/** Moving in: what other agents on this machine have, and what it would become here. */

export const importTools = ['claude', 'codex', 'opencode', 'gemini', 'vscode'] as const
export type ImportTool = (typeof importTools)[number]

export type ImportKind = 'mcp' | 'rule' | 'command' | 'skill' | 'instructions' | 'hook' | 'session'

export interface ImportItem {
  /** The same for the same thing at each look. */
  id: string
  tool: ImportTool
  kind: ImportKind
  name: string
  /** The file that it is in. */
  from: string
  /** What it becomes here, in words. */
  becomes: string
  /** Word for word: the command of a server, the text of a rule. */
  detail: string
  /** `ready`: can be taken; `used`: works here already, where it is; `taken`: was imported before; `not`: cannot be carried over. */
  state: 'ready' | 'used' | 'taken' | 'not'
  /** Why it cannot be carried over, or what is different here. */
  note: string
}

export interface ImportFound {
  /** The home folder that was looked at. */
  home: string
  items: ImportItem[]
}

export interface ImportReport {
  done: { id: string; words: string }[]
  failed: { id: string; words: string }[]
}
