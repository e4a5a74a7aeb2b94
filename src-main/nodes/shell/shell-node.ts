import type { NodeFiles } from '../files/node-files'
import type { SharedPane } from '../tmux/pane'
import type { RemoteShell } from './remote-shell'

/**
 * A machine that is reached through a shell, for vocabularies that work on one machine at a time: this one, a
 * container, an ssh host, or tmux in any of them.
 */
export interface ShellNode {
  /** The node id that the gate judges its calls by. */
  readonly id: string
  readonly kind: 'local' | 'local-tmux' | 'container' | 'container-tmux' | 'wsl' | 'wsl-tmux' | 'ssh' | 'ssh-tmux'
  /** Its name in questions: `local`, `ssh me@host`, `container:web`. */
  readonly label: string
  readonly shell: RemoteShell
  readonly files: NodeFiles
  /**
   * The local argv that runs `command` there in `sh`, with separate stdout, stderr and exit code. With `stdin` the
   * command reads what it is given.
   */
  argv(command: string, options?: { stdin?: boolean }): [string, ...string[]]
  /** Whether there is a terminal that the agent and the user can share. */
  readonly hasPane: boolean
  /** The pane of a workspace: two workspaces never share one. `null` without tmux. */
  paneFor(workspace: string): SharedPane | null
  /** Closes the connection; what runs in tmux continues. */
  close(): Promise<void>
}

/** Whether its files are on this machine. */
export const isHere = ({ kind }: ShellNode): boolean => kind === 'local' || kind === 'local-tmux'
