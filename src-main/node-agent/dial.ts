import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { matchesPin } from '../gateway/pin'
import { unknownIssuer } from '../network/unknown-issuer'

/** The gateway at the other end is not the one that was meant, or cannot show that it is. Nothing was sent to it. */
export class UntrustedGateway extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UntrustedGateway'
  }
}

/**
 * An encrypted connection to a gateway that has shown who it is. With a pin, its key has to be the pinned one, whoever signed
 * the certificate and whatever name it has; without one, an authority that this machine trusts has to vouch for the host.
 * The token must not be sent before, so this ends before the first byte of the request.
 */
export async function dialSecurely(url: URL, pin: string | undefined, limitMs: number): Promise<TLSSocket> {
  const tls = await import('node:tls')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const options: ConnectionOptions = {
    host,
    port: Number(url.port) || 443,
    ...(isIP(host) === 0 && { servername: host }),
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    // A pinned certificate is checked below.
    rejectUnauthorized: pin === undefined,
    ...(pin === undefined && knownAuthorities(tls)),
  }
  const socket = tls.connect(options)
  const limit = setTimeout(() => socket.destroy(new Error('The gateway did not answer in time')), limitMs)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject)
      socket.once('close', () => reject(new Error('The gateway closed the connection')))
    })
    if (pin !== undefined) checkPin(socket, host, pin)
    socket.setNoDelay(true)
    return socket
  } catch (error) {
    socket.destroy()
    throw inWords(error, host)
  } finally {
    clearTimeout(limit)
    socket.removeAllListeners('close').removeAllListeners('error')
    // An error before the WebSocket library listens must not end the program; the library sees the end of the connection.
    socket.on('error', () => {})
  }
}

/** Those that come with Node, those of the system where this Node can read them, and those of NODE_EXTRA_CA_CERTS. */
function knownAuthorities(tls: typeof import('node:tls')): { ca?: string[] } {
  if (typeof tls.getCACertificates !== 'function') return {}
  return { ca: [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])] }
}

function checkPin(socket: TLSSocket, host: string, pin: string): void {
  const raw = socket.getPeerCertificate().raw
  const certificate = raw ? new X509Certificate(raw) : null
  if (!certificate || !matchesPin(certificate, pin)) {
    throw new UntrustedGateway(
      `The gateway at ${host} shows another key than the pinned one, so nothing was sent to it. If its key was made anew, copy the command from its Nodes page again; otherwise somebody may be in between`,
    )
  }
  const now = Date.now()
  if (Date.parse(certificate.validTo) < now) throw new UntrustedGateway(expired(host))
  if (Date.parse(certificate.validFrom) > now) throw new UntrustedGateway(tooEarly(host))
}

const expired = (host: string): string =>
  `The certificate of the gateway at ${host} has expired. Renew it there; a made one is renewed when the gateway starts again`
const tooEarly = (host: string): string =>
  `The certificate of the gateway at ${host} is not valid yet. Check the clock of this machine`

function inWords(error: unknown, host: string): unknown {
  if (!(error instanceof Error) || error instanceof UntrustedGateway) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const because = { cause: error }
  if (unknownIssuer.has(code))
    return new UntrustedGateway(
      `No authority that this machine trusts vouches for the gateway at ${host}. Copy the command with --pin from its Nodes page, or name its authority in NODE_EXTRA_CA_CERTS`,
      because,
    )
  if (code === 'CERT_HAS_EXPIRED') return new UntrustedGateway(expired(host), because)
  if (code === 'CERT_NOT_YET_VALID') return new UntrustedGateway(tooEarly(host), because)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new UntrustedGateway(`The certificate of the gateway belongs to another name than ${host}`, because)
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return new UntrustedGateway(
      `What answers at ${host} does not speak TLS. Is the address ws:// on loopback?`,
      because,
    )
  return error
}
