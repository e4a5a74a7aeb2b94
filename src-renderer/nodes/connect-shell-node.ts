import { call } from '../state/bridge'

/** The node's own card shows why it failed. */
export function connectShellNode(id: string): void {
  call('backend.connect', { id }).catch(() => undefined)
}
