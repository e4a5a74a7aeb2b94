/** A process and its events, in the types that nodes and the terminal host share. */

import type { InputPrompt } from '../../src-preload/contract/processes'

export interface ProcessSpec {
  /** Chosen by the process table; also the name of the log. */
  id: string
  /** The id that the next process will have, so that its start can be prepared. */
  next?: string
  argv: readonly [string, ...string[]]
  cwd: string
  env: Record<string, string>
  /** A terminal of this size, or `null` for separate stdout and stderr pipes. */
  tty: { cols: number; rows: number } | null
  /**
   * For an `argv` that only connects to the program that reads the input: a command that prints the settings of that
   * program's terminal, as `stty -a` does. The local terminal only passes everything on and cannot detect a password
   * prompt.
   */
  farTerminal?: readonly [string, ...string[]]
  /** The cage that it runs in, which was opened before; needs a terminal. */
  cage?: string
  /** Variables of the usual environment that it does not get. */
  unset?: readonly string[]
  /**
   * The file that receives every byte of output, in order, before anything else sees it. Without a terminal,
   * `<logPath>.out` and `<logPath>.err` also hold the two streams separately.
   */
  logPath: string
}

export interface ProcessExit {
  exitCode: number | null
  /** Such as `SIGKILL`. */
  signal: string | null
}

/** What happens to a process after its start, in order; `exit` comes last, when all output is in the log. */
export type ProcessEvent =
  /** Bytes in the log so far; sent at intervals, not for every chunk. */
  | { type: 'output'; bytes: number }
  | { type: 'secret-input'; active: boolean }
  /** What the program asks and waits for; null when it no longer does. */
  | { type: 'prompt'; prompt: InputPrompt | null }
  /** What the user typed into the pane; `text` is empty while echo is off. */
  | { type: 'typed'; text: string }
  | ({ type: 'exit' } & ProcessExit)
  /** The owner of the terminal is gone; how the process ended is unknown. */
  | { type: 'lost' }

/** The program hides what is typed, so the agent may not type. */
export class SecretInputError extends Error {
  constructor() {
    super('The program asks for a password; only the user may answer')
    this.name = 'SecretInputError'
  }
}

export interface NodeProcess {
  readonly pid: number
  onEvent(listener: (event: ProcessEvent) => void): void
  /**
   * For the agent. Rejects when the process has ended or takes no input, and with `SecretInputError` while the program
   * asks for a password: only the user may answer that, through the pane.
   */
  write(data: string): Promise<void>
  resize(cols: number, rows: number): void
  /** To the whole process group. */
  signal(name: NodeJS.Signals): void
  /** The visible screen as the program drew it, one string per row, and the cursor. */
  screen(): Promise<Screen>
}

export interface Screen {
  rows: string[]
  cursor: { x: number; y: number }
  /** Whether a full-screen program is drawing. */
  alternate: boolean
}
