import type { BackendPlace } from '../../src-preload/contract/backends'
import { UsageError } from '../arguments'
import { NodeError } from '../nodes/node-error'
import { readContainerName } from '../nodes/shell/container'
import { readSshTarget } from '../nodes/shell/ssh'

/** How long a node may take to connect; one that has tried in vain comes back within half a minute. */
export const nodeWaitMs = 45_000

/** Where `--ssh`, `--container` and `--tmux` say that commands run; `null` for this machine as it is. */
export function placeOf(options: Map<string, string>): BackendPlace | null {
  const [ssh, container, session] = ['ssh', 'container', 'tmux'].map((name) => options.get(name))
  if (options.has('node') && (ssh ?? container ?? session) !== undefined)
    throw new UsageError('--node cannot be combined with --ssh, --container or --tmux')
  if (ssh !== undefined && container !== undefined) throw new UsageError('--ssh and --container cannot be combined')
  const tmux = session === undefined ? {} : ({ tmux: session === 'true' ? true : sessionName(session) } as const)
  try {
    if (ssh !== undefined) return { kind: 'ssh', ...readSshTarget(ssh), ...tmux }
    if (container !== undefined) return { kind: 'container', ...readContainerName(container), ...tmux }
  } catch (error) {
    if (error instanceof NodeError) throw new UsageError(error.message)
    throw error
  }
  return session === undefined ? null : { kind: 'local', ...tmux }
}

function sessionName(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name
  throw new UsageError(`--tmux: "${name}" is not a valid session name; use letters, digits, dashes and underscores`)
}
