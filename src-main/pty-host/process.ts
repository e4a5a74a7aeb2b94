/** A process and what happens to it, in the words that nodes and the terminal host share. */

export interface ProcessSpec {
  /** Chosen by the process table; also the name of the log. */
  id: string
  argv: readonly [string, ...string[]]
  cwd: string
  env: Record<string, string>
  /** A terminal of this size, or `null` for separate stdout and stderr pipes. */
  tty: { cols: number; rows: number } | null
  /**
   * Where `argv` only leads to the program that reads what is typed: prints how that one's terminal treats it, as
   * `stty -a` does. The terminal at this end passes on everything and knows of no password.
   */
  farTerminal?: readonly [string, ...string[]]
  /**
   * The file that takes every byte of output, in order, before anybody else sees it.
   * Without a terminal, `<logPath>.out` and `<logPath>.err` hold the two streams apart as well.
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
  /** Bytes in the log so far; announced now and then, not for every chunk. */
  | { type: 'output'; bytes: number }
  | { type: 'secret-input'; active: boolean }
  /** What the user typed into the pane; `text` is empty while echo is off. */
  | { type: 'typed'; text: string }
  | ({ type: 'exit' } & ProcessExit)
  /** Whoever held the terminal is gone; how the process ended is not known. */
  | { type: 'lost' }

/** The program hides what is typed; the agent is locked out. */
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
  /** The visible screen as the program drew it, one string a row, and the cursor. */
  screen(): Promise<Screen>
}

export interface Screen {
  rows: string[]
  cursor: { x: number; y: number }
  /** Whether a full-screen program is drawing. */
  alternate: boolean
}
