/** A session as it can be played again: what was said and done when, and what its terminals showed. */

/** All times are in milliseconds since 1970. */
export interface Replay {
  title: string
  start: number
  end: number
  messages: ReplayMessage[]
  terminals: ReplayTerminal[]
  /** Earlier messages that are left out. */
  omitted: number
}

export interface ReplayMessage {
  id: string
  at: number
  /** When its last words were written, where that is known. */
  until: number | null
  role: 'user' | 'assistant' | 'system'
  parts: ReplayPart[]
}

export type ReplayPart =
  | { type: 'text'; text: string }
  | { type: 'note'; text: string }
  | { type: 'image'; src: string; name: string }
  | { type: 'call'; call: ReplayCall }

export interface ReplayCall {
  name: string
  gist: string
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  /** The user was asked, and the call waited for the answer. */
  asked: boolean
  outcome: 'open' | 'done' | 'failed' | 'denied' | 'aborted'
  terminalId: string | null
}

export interface ReplayTerminal {
  id: string
  command: string
  node: string
  byUser: boolean
  startedAt: number
  endedAt: number | null
  exitCode: number | null
  /** When something happened in it. */
  active: [from: number, to: number][]
  /** What it showed; left out where it is loaded when it is looked at. */
  cast?: Cast
}

/** What a terminal showed, and what was typed into it. */
export interface Cast {
  cols: number
  rows: number
  /** Bytes at the beginning of the log that are left out. */
  skipped: number
  /** When the output was written is not known. */
  untimed: boolean
  events: CastEvent[]
}

export type CastEvent =
  | [at: number, type: 'output', text: string]
  | [at: number, type: 'size', cols: number, rows: number]
  /** Empty where the program hid what was typed. */
  | [at: number, type: 'typed', by: 'user' | 'agent', text: string]
