/** Places that this machine leads to by programs that are there already: ssh, a container engine, tmux, WSL. */

type ContainerEngineName = 'docker' | 'podman' | 'kubectl'

/**
 * A place that commands can run in. `tmux`: in a session of tmux there, whose terminals outlive the app; a text names the
 * session. On an ssh host it is used where it is there, whether it is asked for or not.
 */
export type BackendPlace = { tmux?: true | string | undefined } & (
  | { kind: 'local' }
  | { kind: 'container'; name: string; engine?: ContainerEngineName | undefined }
  /** A Linux distribution of Windows. */
  | { kind: 'wsl'; name: string }
  | { kind: 'ssh'; host: string; port?: number | undefined }
)

/** What a node of this kind has beside the facts of any other. */
export interface BackendFacts {
  place: BackendPlace
  /** `ssh me@host`, `container:web`, `local`. */
  label: string
  /** A connection is being made; perhaps it waits for an answer. */
  connecting: boolean
  /** What to type in any terminal to see what runs there; `null` where there is no tmux. */
  attach: string | null
}

/** What could be added, as far as this machine can tell. */
export interface BackendChoices {
  /** Names of ~/.ssh/config. */
  sshHosts: string[]
  containers: { engine: ContainerEngineName; name: string; image: string }[]
  engines: ContainerEngineName[]
  tmux: boolean
  /** Linux distributions of Windows. */
  distributions: string[]
}

/** What ssh wants to know before it goes on. The answer goes to it and nowhere else. */
export interface BackendQuestion {
  id: string
  node: string
  prompt: string
  kind: 'secret' | 'confirm'
}

export type BackendsEvent = { type: 'backend-questions'; questions: BackendQuestion[] }
