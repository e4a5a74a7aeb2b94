import type { Outcome } from '../shell/remote-shell'

/** A pane of tmux that outlives the app and that anybody may attach to. All methods throw `NodeError`. */
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
