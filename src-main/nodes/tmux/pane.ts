import type { Outcome } from '../shell/remote-shell'

/** A tmux pane that outlives the app and that anybody may attach to. All methods throw `NodeError`. */
export interface SharedPane {
  /** The session's name, for `tmux attach -t`. */
  readonly session: string
  /**
   * Types the command into the pane and waits for its end, which is found by unique marks. It runs in `sh -c` in `cwd`,
   * or else in the current folder of the pane's shell; its output is shown in the pane and returned completely, with
   * separate streams. After the timeout it is left running, and the error's kind is `timeout`.
   */
  run(
    command: string,
    options?: { stdin?: Uint8Array; cwd?: string; timeoutMs?: number; signal?: AbortSignal },
  ): Promise<Outcome>
  /** Types the command and does not wait. Returns the pane, such as `%1`. */
  dispatch(command: string): Promise<string>
  capture(request: CaptureRequest): Promise<Captured>
  /**
   * Types in this order: the text as it is, the keys by name, Enter. Throws `SecretInputError` while a password is
   * asked for, unless the keys only interrupt.
   */
  sendKeys(request: SendKeysRequest): Promise<void>
  /** All panes of the tmux server with what runs in them: valid values of `target`. */
  targets(): Promise<{ pane: string; window: string; command: string; active: boolean }[]>
  /** The argv of a program for a terminal that shows the pane. */
  attach(): Promise<[string, ...string[]]>
  /** The argv of a program that prints the pane's terminal settings, as `stty -a` does. */
  terminal(): [string, ...string[]]
}

export interface CaptureRequest {
  /** As in `tmux -t`; by default the shared pane. */
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
  /** The alternate screen was asked for but there is none: this is the normal one. */
  fellBack: boolean
}

interface SendKeysRequest {
  target?: string
  text?: string
  keys?: readonly string[]
  enter?: boolean
}
