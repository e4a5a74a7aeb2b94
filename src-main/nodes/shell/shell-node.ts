import type { NodeFiles } from '../files/node-files'
import type { SharedPane } from '../tmux/pane'
import type { RemoteShell } from './remote-shell'

/**
 * A machine that a shell leads to, as a vocabulary knows it that works on one machine at a time: this one, a container, an
 * ssh host, tmux in any of them.
 */
export interface ShellNode {
  /** The node that the gate judges its calls by. */
  readonly id: string
  readonly kind: 'local' | 'local-tmux' | 'container' | 'container-tmux' | 'ssh' | 'ssh-tmux'
  /** As questions name it: `local`, `ssh me@host`, `container:web`. */
  readonly label: string
  readonly shell: RemoteShell
  readonly files: NodeFiles
  /**
   * What runs on this machine so that `command` runs there in `sh`, with stdout, stderr and exit code apart. With `stdin` it
   * reads what it is given.
   */
  argv(command: string, options?: { stdin?: boolean }): [string, ...string[]]
  /** Whether there is a terminal that the agent and the user can share. */
  readonly hasPane: boolean
  /** The one for a workspace: two of them never share one. `null` where there is no tmux. */
  paneFor(workspace: string): SharedPane | null
  /** Closes the way; what runs in tmux goes on. */
  close(): Promise<void>
}

/** Whether its files are those of this machine. */
export const isHere = ({ kind }: ShellNode): boolean => kind === 'local' || kind === 'local-tmux'
