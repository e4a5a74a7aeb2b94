import { call } from '../state/bridge'

/** Why it did not work stands on the node's own card. */
export function connectPlace(id: string): void {
  call('backend.connect', { id }).catch(() => undefined)
}
