/** What an agent has noted down, and how it is found again, as plain data. */

/** A passage that answers a question, with the lines it stands on. */
export interface MemoryHit {
  /** Relative to the agent's folder: `MEMORY.md`, `memory/2026-11-16.md`. */
  path: string
  /** Both count from 1, and both are part of it. */
  startLine: number
  endLine: number
  /** 0 to 1: how near the passage is to the question, in meaning and in words. */
  score: number
  snippet: string
}

export interface MemoryFile {
  path: string
  size: number
  modifiedAt: number
  passages: number
}

export interface MemoryState {
  files: MemoryFile[]
  passages: number
  /** Passages that can so far be found by their words only. */
  pending: number
  /** Why passages are found by their words only, and what to do about it; absent when they are found by meaning too. */
  byWordsOnly?: string
}

/** What an agent looked for in its memory while it answered, and what it found. */
export interface MemoryRecall {
  id: number
  sessionId: string
  /** `null` once the session is gone. */
  sessionTitle: string | null
  query: string
  at: number
  hits: MemoryHit[]
}

/** Notes or recalls of an agent have changed: ask again. */
export type MemoryEvent = { type: 'memory'; agentId: string }
