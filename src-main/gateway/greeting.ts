import type { Identity } from './admission'
import { GatewayError } from './errors'
import type { NodeLink } from './hub'
import { idTrouble } from './node-ids'
import type { NodeRow, NodeRows } from './node-rows'
import { type NodeRuntime, readRuntime } from './runtime'
import { hashOf, holdsKey, sameHash } from './tokens'
import type { ConnectParams } from './wire'

/** Decides which nodes may connect, and under which id. */
export function createGreeting(options: {
  rows: NodeRows
  /** Hash of the token that any node may use; `null` if there is none. */
  sharedHash: string | null
  clock: () => number
  takenIds(): readonly string[]
}) {
  const { rows, sharedHash, clock } = options

  const identify = (token: string): Identity | null => {
    const hash = hashOf(token)
    const row = rows.withTokenHash(hash)
    const shared = sharedHash !== null && sameHash(sharedHash, hash)
    if (row) return { kind: 'node', nodeId: row.id, tokenHash: hash }
    return shared ? { kind: 'shared' } : null
  }

  const rowFor = (clientId: string, identity: Identity): NodeRow => {
    if (identity.kind === 'node') {
      const row = rows.get(identity.nodeId)
      // The token was valid when the socket opened, but may have been revoked or renewed since.
      if (row?.tokenHash !== identity.tokenHash) throw new GatewayError(401, 'This token was revoked')
      if (row.id !== clientId && !row.aliases.includes(clientId)) {
        throw new GatewayError(403, `This token belongs to another node than ${clientId}`)
      }
      return row
    }
    if (rows.isRevoked(clientId)) throw new GatewayError(401, `Node ${clientId} was revoked`)
    const known = rows.named(clientId)
    if (known && known.tokenHash !== null) throw new GatewayError(403, `Node ${clientId} has a token of its own`)
    const empty = { aliases: [], tokenHash: null, deviceKey: null, approved: null, runtime: null, lastSeenAt: null }
    return known ?? { ...empty, id: clientId, role: 'execution', addedAt: clock() }
  }

  /** The first key used with a token is bound to the node: from then on the token alone is not enough. */
  const keyFor = (row: NodeRow, { client, auth }: ConnectParams, nonce: string): string | null => {
    const proven =
      auth?.key !== undefined && auth.proof !== undefined && holdsKey(auth.key, auth.proof, nonce, client.id)
    if (auth?.key !== undefined && !proven) throw new GatewayError(401, 'The proof does not match the key')
    if (row.deviceKey !== null && row.deviceKey !== auth?.key) {
      throw new GatewayError(401, `Node ${row.id} is another device. Renew its token to move it to this one`)
    }
    return proven ? (auth?.key ?? null) : row.deviceKey
  }

  const greet = (params: ConnectParams, identity: Identity, nonce: string): Omit<NodeLink, 'peer' | 'connectedAt'> => {
    const { client, auth, tools = [] } = params
    if (auth?.token != null && !sameIdentity(identify(auth.token), identity))
      throw new GatewayError(401, 'This token is not valid')
    if (client.mode === 'client' || client.mode === 'channel') throw new GatewayError(403, 'Only nodes may connect')
    if (client.mode !== 'node') throw new GatewayError(103, `Unknown mode: ${client.mode}`)
    const trouble = idTrouble(client.id, options.takenIds())
    if (trouble) throw new GatewayError(103, trouble)
    if (tools.length === 0) throw new GatewayError(103, 'A node must have tools')
    const names = tools.map(({ name }) => name)
    const double = names.find((name, index) => names.indexOf(name) !== index)
    if (double !== undefined) throw new GatewayError(103, `Invalid nodeRuntime: the tool ${double} is named twice`)
    const runtime = readRuntime(params.nodeRuntime, names)
    if (typeof runtime === 'string') throw new GatewayError(103, `Invalid nodeRuntime: ${runtime}`)

    const row = rowFor(client.id, identity)
    const deviceKey = keyFor(row, params, nonce)
    const claims = claimsOf(runtime)
    const approved = row.approved ?? claims.filter((claim) => claim !== 'role:execution' || row.role === 'execution')
    const kept = { ...runtime, version: client.version, tools: names }
    rows.save({ ...row, deviceKey, approved, runtime: kept, lastSeenAt: clock() })
    return { id: row.id, runtime, version: client.version, tools }
  }

  return { identify, greet }
}

/** The capabilities and role that a node claims and that the user has to approve. */
export const claimsOf = (runtime: Pick<NodeRuntime, 'capabilities' | 'role'> | null): string[] =>
  runtime ? [...runtime.capabilities, ...(runtime.role === 'execution' ? ['role:execution'] : [])] : []

const sameIdentity = (a: Identity | null, b: Identity): boolean =>
  a !== null && a.kind === b.kind && (a.kind === 'shared' || b.kind === 'shared' || a.nodeId === b.nodeId)
