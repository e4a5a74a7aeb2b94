/** Where the commands of a vocabulary run when it knows one place at a time: this machine, a container, an ssh host. */
export interface Backend {
  readonly kind: BackendKind
  /** As questions name it: `local`, `ssh me@host`, `container:web`. */
  readonly label: string
  /** The node that the gate judges its calls by. */
  readonly node: string
  /**
   * What runs on this machine so that `command` runs there in a shell, with stdout, stderr and exit code apart. With
   * `stdin` it reads what it is given.
   */
  argv(command: string, options?: { stdin?: boolean }): [string, ...string[]]
  /** Before what `argv` answers is run: opens what has to be open. Throws `BackendError`. */
  ready(): Promise<void>
  /** Its first bytes, or all of them. Binary-safe, and never through a pane. Throws `BackendError`. */
  readFile(path: string, mostBytes?: number): Promise<Buffer>
  /** Creates or overwrites. */
  writeFile(path: string, data: Uint8Array): Promise<void>
  /** The terminal that the agent and the user share; `null` where there is no tmux. */
  readonly pane: SharedPane | null
}

type BackendKind = 'local' | 'local-tmux' | 'container' | 'container-tmux' | 'ssh' | 'ssh-tmux'

/** What a command left behind. */
export interface Outcome {
  exitCode: number
  stdout: Buffer
  stderr: Buffer
}

/** A pane of tmux that outlives the app and that anybody may attach to. All methods throw `BackendError`. */
export interface SharedPane {
  /** The session's name, for `tmux attach -t`. */
  readonly session: string
  /**
   * Types the command into the pane and waits for its end, which unique marks around it tell. It runs in `sh -c` in `cwd`,
   * or else in the folder that the pane's shell is in; what it writes is seen in the pane and comes back whole, the two streams apart.
   * After its time it is left running, and the error's kind is `timeout`.
   */
  run(
    command: string,
    options?: { stdin?: Uint8Array; cwd?: string; timeoutMs?: number; signal?: AbortSignal },
  ): Promise<Outcome>
  /** Types the command and does not wait. Answers with the pane: `%1`. */
  dispatch(command: string): Promise<string>
  capture(request: CaptureRequest): Promise<Captured>
  /**
   * In this order: the text as it is, the keys by their names, Enter. Throws `SecretInputError` while a password is asked
   * for, unless the keys only interrupt.
   */
  sendKeys(request: SendKeysRequest): Promise<void>
  /** Pane ids with what runs in them, of the whole server: what `target` may name. */
  targets(): Promise<{ pane: string; window: string; command: string; active: boolean }[]>
  /** A program for a terminal that shows the pane. */
  attach(): Promise<[string, ...string[]]>
  /** A program that prints, as `stty -a` does, how its terminal treats what is typed. */
  terminal(): [string, ...string[]]
}

export interface CaptureRequest {
  /** In the words of `tmux -t`; the shared pane when left out. */
  target?: string
  /** `-S` and `-E`: a line, or `-`. */
  start?: string
  end?: string
  /** `-J`, `-N`, `-e`, `-C`, `-a`. */
  joinWrapped?: boolean
  keepTrailingSpaces?: boolean
  escapes?: boolean
  escapeNonPrintable?: boolean
  alternateScreen?: boolean
}

interface Captured {
  text: string
  /** The alternate screen was asked for and there is none: this is the ordinary one. */
  fellBack: boolean
}

interface SendKeysRequest {
  target?: string
  text?: string
  keys?: readonly string[]
  enter?: boolean
}

/** Something that the user or the model should read. */
export class BackendError extends Error {
  constructor(
    readonly kind: 'unreachable' | 'missing' | 'busy' | 'timeout' | 'failed',
    message: string,
  ) {
    super(message)
    this.name = 'BackendError'
  }
}
