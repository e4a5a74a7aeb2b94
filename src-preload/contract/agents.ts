/** The agents and their own files, as plain data. */

/** An agent: a folder of files that say who it is, what it knows and how it works. */
export interface AgentInfo {
  /** Lower case letters, digits, `-` and `_`; `main` is always there. */
  id: string
  /** From the heading of IDENTITY.md, or the id. */
  name: string
  /** The folder of its own files. */
  folder: string
  /** Ordinary sessions that belong to it, the main one among them. */
  sessions: number
  skills: number
  updatedAt: number
}

/** One of an agent's own files, there or not yet. */
export interface AgentFile {
  /** Relative to the agent's folder: `SOUL.md`, `memory/2026-11-16.md`. */
  path: string
  kind: 'prompt' | 'note' | 'skill' | 'other'
  /** What the file is for, in one line; empty for files of the agent's own making. */
  purpose: string
  exists: boolean
  size: number
  modifiedAt: number | null
}

export interface AgentFileContent {
  path: string
  content: string
  exists: boolean
}

/** Something about the agents or their files has changed: ask again. */
export type AgentsEvent = { type: 'agents'; agents: AgentInfo[] }
