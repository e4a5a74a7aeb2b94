import type { NodeProcess, ProcessSpec } from '../pty-host/process'
import type { NodeFiles } from './files/node-files'

export {
  type NodeProcess,
  type ProcessEvent,
  type ProcessExit,
  type ProcessSpec,
  type Screen,
  SecretInputError,
} from '../pty-host/process'

export interface HostInfo {
  os: 'linux' | 'darwin' | 'windows'
  hostname: string
  /** Names of environment variables, never their values. */
  envKeys: string[]
  shell: string
}

/** A machine with commands and files: this one, a container, an ssh host. One interface for all of them. */
export interface Node {
  readonly id: string
  readonly role: 'execution' | 'specialized'
  /** Its processes continue without the app and are found again by the next connection. */
  readonly outlives?: true
  info(): HostInfo
  readonly files: NodeFiles
  start(spec: ProcessSpec): Promise<NodeProcess>
  close(): Promise<void>
}
