import type { BackendPlace } from '../../src-preload/contract/backends'
import { UsageError } from '../arguments'
import { NodeError } from '../nodes/node-error'
import { readContainerName } from '../nodes/shell/container'
import { readSshTarget } from '../nodes/shell/ssh'

/** How long a node may take to connect; one that has tried in vain comes back within half a minute. */
export const nodeWaitMs = 45_000

/** Where `--ssh`, `--container`, `--wsl` and `--tmux` say that commands run; `null` for this machine as it is. */
export function placeOf(options: Map<string, string>): BackendPlace | null {
  const [ssh, container, wsl, session] = ['ssh', 'container', 'wsl', 'tmux'].map((name) => options.get(name))
  if (options.has('node') && (ssh ?? container ?? wsl ?? session) !== undefined)
    throw new UsageError('--node cannot be combined with --ssh, --container, --wsl or --tmux')
  if ([ssh, container, wsl].filter((each) => each !== undefined).length > 1)
    throw new UsageError('--ssh, --container and --wsl cannot be combined')
  const tmux = session === undefined ? {} : ({ tmux: session === 'true' ? true : sessionName(session) } as const)
  try {
    if (ssh !== undefined) return { kind: 'ssh', ...readSshTarget(ssh), ...tmux }
    if (container !== undefined) return { kind: 'container', ...readContainerName(container), ...tmux }
  } catch (error) {
    if (error instanceof NodeError) throw new UsageError(error.message)
    throw error
  }
  if (wsl !== undefined) return { kind: 'wsl', name: distribution(wsl), ...tmux }
  return session === undefined ? null : { kind: 'local', ...tmux }
}

function distribution(name: string): string {
  if (/^[^\s"-][^\s"]{0,199}$/.test(name)) return name
  throw new UsageError(`--wsl: "${name}" is not the name of a distribution; wsl --list shows them`)
}

function sessionName(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name
  throw new UsageError(`--tmux: "${name}" is not a valid session name; use letters, digits, dashes and underscores`)
}
