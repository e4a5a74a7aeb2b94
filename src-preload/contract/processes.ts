export type ProcessStatus =
  | 'running'
  | 'exited'
  /** Ended because the app ended or its terminal host died; the exit code is not known. */
  | 'lost'
  /** Still alive after a restart of the app, without its terminal. */
  | 'survived'

/** What may happen to a process that the agent should hear of at once. */
export type WatchedFor =
  | { kind: 'text'; text: string }
  | { kind: 'silence'; seconds: number }
  | { kind: 'port'; port: number }
  | { kind: 'exit' }

/** Set by the agent or the user; it wakes the agent once. */
export type Watch = WatchedFor & { id: string }

/** The line in which a program has stopped to wait for what somebody types. */
export interface InputPrompt {
  text: string
  /** Concluded from its words: the system could not tell that the program reads from its terminal. */
  guess: boolean
}

export interface ProcessInfo {
  id: string
  sessionId: string
  callId: string | null
  node: string
  command: string
  title: string
  cwd: string
  pid: number
  tty: boolean
  /** Opened by the user rather than by the agent. */
  byUser: boolean
  background: boolean
  status: ProcessStatus
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  /** The program turned echo off: it waits for a password, and the agent is locked out. */
  secretInput: boolean
  /** What it asks, while it waits for an answer; with `secretInput` the words of the hidden prompt. Only of one that runs. */
  prompt?: InputPrompt
  /** Bytes in the log so far. */
  bytes: number
  /** For processes of other machines: whether the machine is in reach. While it is not, nobody knows how they fare. */
  link?: 'up' | 'down'
  /** What wakes the agent; only of one that runs. */
  watches?: Watch[]
  startedAt: number
  endedAt: number | null
}

/** It waits for somebody to type a password or an answer. */
export const waitsForInput = ({ status, secretInput, prompt }: ProcessInfo): boolean =>
  status === 'running' && (secretInput || prompt !== undefined)

/** Messages on a pane's own port, from the terminal host. */
export type PaneMessage =
  /** Replace everything: the serialised screen and scrollback up to `offset` in the log. */
  | { type: 'snapshot'; data: string; offset: number; cols: number; rows: number; skipped: number }
  | { type: 'data'; data: string; offset: number }
  | { type: 'history'; data: string; from: number; to: number }
  | { type: 'size'; cols: number; rows: number }
  | { type: 'exit'; exitCode: number | null; signal: string | null }

/** Messages on a pane's own port, to the terminal host. */
export type PaneRequest =
  | { type: 'ack'; chars: number }
  /** `scrolled`: sent by the wheel, which a full-screen program without a mouse gets as arrow keys. Nobody typed it. */
  | { type: 'input'; data: string; scrolled?: true }
  | { type: 'resize'; cols: number; rows: number }
  /** Older output than the pane holds: up to `bytes` that end at log offset `before`. */
  | { type: 'history'; before: number; bytes: number }
