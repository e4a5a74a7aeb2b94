import { hostname, networkInterfaces } from 'node:os'
import type { GatewayInfo, NodeInvitation } from '../../src-preload/contract/nodes'
import { GatewayError } from './errors'

/** The command that connects a node, ready to be pasted. */
export function invitationFor(
  gateway: GatewayInfo,
  { nodeId, token }: { nodeId: string; token: string },
  extra: { role?: string; workspace?: string } = {},
): NodeInvitation {
  if (gateway.url === null) throw new GatewayError(500, gateway.problem ?? 'The gateway does not listen')
  const host = gateway.name ?? reachableHost(gateway.host)
  const url = `${gateway.encrypted ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${gateway.port}`
  const words = ['deckhand', 'node', '--gateway', url, '--token', token, '--id', nodeId]
  if (gateway.pin !== null) words.push('--pin', gateway.pin)
  if (extra.workspace) words.push('--workspace', extra.workspace)
  if (extra.role === 'specialized') words.push('--role', extra.role)
  return { nodeId, token, url, command: words.map(quoted).join(' ') }
}

/** An address that other machines can use, if the gateway listens on all interfaces. */
function reachableHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((address) => !address.internal && address.family === 'IPv4')
  return outside?.address ?? hostname()
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
