import type { NodeRole } from '../../src-preload/contract/nodes'
import { GatewayError } from './errors'
import { claimsOf } from './greeting'
import type { Hub } from './hub'
import { idTrouble } from './node-ids'
import type { NodeRow, NodeRows } from './node-rows'
import { hashOf, newToken } from './tokens'

/** Which nodes are known: adding, naming, approving and revoking them. */
export function createEnrolment(options: {
  rows: NodeRows
  hub: Hub
  clock: () => number
  takenIds(): readonly string[]
  changed(): void
}) {
  const { rows, hub, clock, changed } = options

  const find = (nodeId: string): NodeRow => {
    const row = rows.get(nodeId)
    if (!row) throw new GatewayError(404, `There is no node ${nodeId}`)
    return row
  }
  /** Throws unless the id is valid and belongs to no node other than `own`. */
  const requireFree = (id: string, own?: string): void => {
    const trouble = idTrouble(id, options.takenIds())
    if (trouble) throw new GatewayError(400, trouble)
    const other = rows.named(id)
    if (other && other.id !== own) throw new GatewayError(409, `There is a node named ${id} already`)
  }
  const giveToken = (row: NodeRow): { nodeId: string; token: string } => {
    const token = newToken()
    // Without a device key, the next device that uses the new token becomes this node.
    rows.save({ ...row, tokenHash: hashOf(token), deviceKey: null })
    changed()
    return { nodeId: row.id, token }
  }

  return {
    find,
    add({ id, role = 'execution' }: { id: string; role?: NodeRole }) {
      requireFree(id)
      const empty = { aliases: [], tokenHash: null, deviceKey: null, approved: null, runtime: null, lastSeenAt: null }
      return giveToken({ ...empty, id, role, addedAt: clock() })
    },
    renewToken(nodeId: string) {
      const given = giveToken(find(nodeId))
      hub.drop(nodeId, 'Its token was renewed')
      return given
    },
    rename(nodeId: string, newId: string): void {
      const row = find(nodeId)
      if (newId === nodeId) return
      requireFree(newId, nodeId)
      rows.rename(nodeId, newId, [...new Set([...row.aliases.filter((alias) => alias !== newId), nodeId])])
      // The node reconnects under its new name, so that nothing continues under the old one.
      hub.drop(nodeId, 'It was renamed')
      changed()
    },
    disconnect(nodeId: string): void {
      find(nodeId)
      hub.drop(nodeId, 'Disconnected by the user')
    },
    revoke(nodeId: string): void {
      find(nodeId)
      rows.revoke(nodeId)
      hub.drop(nodeId, 'It was revoked')
      changed()
    },
    approve(nodeId: string): void {
      const row = find(nodeId)
      const claims = claimsOf(hub.link(nodeId)?.runtime ?? row.runtime)
      rows.save({ ...row, approved: [...new Set([...(row.approved ?? []), ...claims])] })
      changed()
    },
  }
}
