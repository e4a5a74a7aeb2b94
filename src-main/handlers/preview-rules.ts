import { isLoopback } from '../../src-preload/contract/loopback'

/** What a page beside the chat may reach. */
interface PreviewRules {
  /** Ports that processes of the session listen on now. */
  ports: ReadonlySet<number>
  /** The origin that the user typed, if it is somewhere else. */
  typed: string | null
}

const webSchemes = new Set(['http:', 'https:', 'ws:', 'wss:'])
/** What a page has in itself. */
const inPage = new Set(['data:', 'blob:', 'about:'])

/**
 * Whether a page may ask for an address. By itself it reaches only what the session runs on this machine. Where the user has
 * typed another address, it also reaches that one, and the web if that is on the web; never other ports of this machine.
 */
export function mayReach(address: string, { ports, typed }: PreviewRules): boolean {
  const url = URL.parse(address)
  if (!url) return false
  if (inPage.has(url.protocol)) return true
  if (!webSchemes.has(url.protocol) || url.username || url.password) return false
  if (isLoopback(url.hostname) && ports.has(portOf(url))) return true
  if (typed === null) return false
  const chosen = new URL(typed)
  if (url.hostname === chosen.hostname && portOf(url) === portOf(chosen)) return true
  return !isLoopback(chosen.hostname) && !isLocal(url.hostname)
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' || protocol === 'wss:' ? 443 : 80) : Number(port)

/** Addresses of this machine and of its network, in the notations that an address parser leaves. */
const isLocal = (host: string): boolean =>
  isLoopback(host) ||
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(host) ||
  /^\[(?:::|::ffff:|f[cde])/i.test(host) ||
  !host.includes('.')
