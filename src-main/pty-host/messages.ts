import type { ProcessEvent, ProcessExit, ProcessSpec, Screen } from './process'

/** Requests from main to the terminal host. The two may be one process (command line) or two (window). */
export type HostRequest =
  | { type: 'start'; requestId: number; spec: ProcessSpec }
  /** Input from the agent; the user's keys come through the pane's own port. */
  | { type: 'write'; requestId: number; id: string; data: string }
  | { type: 'resize'; id: string; cols: number; rows: number }
  | { type: 'signal'; id: string; name: NodeJS.Signals }
  | { type: 'screen'; requestId: number; id: string }
  /**
   * A pane opens; its port is sent with this message. `logPath` and `exit` are for processes that this host did not
   * start: they ended earlier, perhaps in another run of the app, and only their log is left.
   */
  | { type: 'attach'; id: string; logPath: string; exit: ProcessExit | null }
  /** What the user types outside a pane of this host: at the other end of a gateway. */
  | { type: 'type'; id: string; data: string }
  /** A process on another machine, whose output arrives as `feed` and ends with `feed-end`. */
  | { type: 'feed-open'; requestId: number; spec: FeedSpec }
  | { type: 'feed'; id: string; chunk: Uint8Array }
  | { type: 'feed-end'; id: string; exit: ProcessExit }
  /** Opens a cage: `argv` starts it and needs a program appended. Replies when commands can be started in it. */
  | { type: 'cage-open'; requestId: number; id: string; argv: readonly string[] }
  /** No more commands are started in a cage; it ends after the last one. */
  | { type: 'cage-retire'; id: string }
  /** Ends every process group and replies when that is done. */
  | { type: 'close'; requestId: number }

/** Messages from the terminal host to main. Every request with a `requestId` gets exactly one `reply` or `refusal`. */
export type HostMessage =
  | { type: 'reply'; requestId: number; value: HostReply }
  | { type: 'refusal'; requestId: number; message: string; secretInput: boolean }
  | { type: 'event'; id: string; event: ProcessEvent }
  /** A pane's request to a fed process. */
  | {
      type: 'pane'
      id: string
      request: { type: 'input'; data: string } | { type: 'resize'; cols: number; rows: number }
    }

export type HostReply = { kind: 'started'; pid: number } | { kind: 'done' } | { kind: 'screen'; screen: Screen }

export interface FeedSpec {
  id: string
  logPath: string
  cols: number
  rows: number
  /** How much of the output is already in the log. */
  offset: number
}
