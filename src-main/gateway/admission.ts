import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { isLoopback } from '../../src-preload/contract/loopback'
import { createFailureLimit } from './limits'

/** The identity behind a token: one node, or any node for the shared token. */
export type Identity = { kind: 'node'; nodeId: string; tokenHash: string } | { kind: 'shared' }

type Verdict = { ok: true; identity: Identity } | { ok: false; status: number; message: string }

/**
 * Checks a request before it is upgraded to a socket. Web pages are rejected by their Origin header, which a browser
 * always sends and a program never needs, and DNS rebinding by the Host header. Neither check replaces the token.
 */
export function createAdmission(options: {
  identify(token: string): Identity | null
  /** As configured, such as `127.0.0.1`. */
  listenHost: string
  /** Further names of this host, from its certificate. */
  names?: readonly string[]
  /** The port of an address that names none. */
  usualPort?: number
  port(): number
  clock: () => number
}) {
  const failures = createFailureLimit(options.clock)

  return (request: IncomingMessage): Verdict => {
    const refuse = (status: number, message: string): Verdict => ({ ok: false, status, message })
    if (pathOf(request) !== '/ws') return refuse(404, 'Not found')
    if (request.method !== 'GET') return refuse(405, 'Only GET')
    if (request.headers['sec-websocket-version'] !== '13') return refuse(426, 'WebSocket version 13 is needed')
    if (request.headers.origin !== undefined) return refuse(403, 'Web pages may not connect')
    if (!isOurHost(request, options, options.port())) return refuse(403, 'This is not the name of this host')
    // The address of the connection itself; headers that claim another one are ignored.
    const address = request.socket.remoteAddress ?? ''
    if (failures.exceeded(address)) return refuse(429, 'Too many failed attempts. Try again in a minute')
    const token = bearerOf(request)
    const identity = token === null ? null : options.identify(token)
    if (!identity) {
      failures.note(address)
      return refuse(401, 'A valid token is needed')
    }
    return { ok: true, identity }
  }
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? ''

function bearerOf(request: IncomingMessage): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,1000})$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}

function isOurHost(
  request: IncomingMessage,
  { listenHost, names = [], usualPort = 80 }: { listenHost: string; names?: readonly string[]; usualPort?: number },
  port: number,
): boolean {
  // With two Host headers it is unclear which one a proxy uses.
  const given = request.headersDistinct.host ?? []
  const [host] = given
  if (given.length !== 1 || !host) return false
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d+))?$/i.exec(host)
  if (!match) return false
  const name = (match[1] ?? '').replace(/^\[|\]$/g, '').toLowerCase()
  if (Number(match[2] ?? usualPort) !== port) return false
  if (name === '127.0.0.1' || name === 'localhost' || name === '::1') return true
  if (names.includes(name)) return true
  if (isLoopback(listenHost)) return false
  const own = hostname().toLowerCase()
  return isIP(name) !== 0 || name === listenHost.toLowerCase() || name === own || name === `${own}.local`
}
