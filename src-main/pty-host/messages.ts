import type { ProcessEvent, ProcessExit, ProcessSpec, Screen } from '../nodes/node'

/** What main says to the terminal host. The two may be one process (command line) or two (window). */
export type HostRequest =
  | { type: 'start'; requestId: number; spec: ProcessSpec }
  /** What the agent writes; the user's keys come by the pane's own port. */
  | { type: 'write'; requestId: number; id: string; data: string }
  | { type: 'resize'; id: string; cols: number; rows: number }
  | { type: 'signal'; id: string; name: NodeJS.Signals }
  | { type: 'screen'; requestId: number; id: string }
  /**
   * A pane opens; its port travels beside this message. `logPath` and `exit` serve processes that this host did not
   * start: they ended earlier, perhaps in another run of the app, and only their log is left.
   */
  | { type: 'attach'; id: string; logPath: string; exit: ProcessExit | null }
  /** End every process group and answer when it is done. */
  | { type: 'close'; requestId: number }

/** What the terminal host says to main. Every request with a `requestId` gets exactly one `reply` or `refusal`. */
export type HostMessage =
  | { type: 'reply'; requestId: number; value: HostReply }
  | { type: 'refusal'; requestId: number; message: string; secretInput: boolean }
  | { type: 'event'; id: string; event: ProcessEvent }

export type HostReply = { kind: 'started'; pid: number } | { kind: 'done' } | { kind: 'screen'; screen: Screen }
