import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { listeningAddress } from '../listening-address'
import type { Logger } from '../log'
import { createAdmission, type Identity } from './admission'
import type { GatewayCertificate } from './certificate'
import { socketOptions } from './peer'

const maxConnections = 256

interface ServerOptions {
  host: string
  port: number
  /** Without one it serves unencrypted WebSockets. */
  certificate: GatewayCertificate | null
  identify(token: string): Identity | null
  clock: () => number
  log: Logger
  /** Whether too many sockets have not introduced themselves yet. */
  isFull(): boolean
  /** A socket whose token is valid. */
  accept(socket: WebSocket, request: IncomingMessage, identity: Identity): void
}

/** The HTTP server that nodes connect to. Resolves when it listens. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { host, port, certificate, clock, log } = options
  const { WebSocketServer } = await import('ws')
  const sockets = new WebSocketServer(socketOptions)
  // Plain HTTP requests get no content, so that the server reveals neither its name nor its version.
  const http = await createServer(certificate, (request, response) => {
    const upgradable = request.url === '/ws'
    response
      .writeHead(
        upgradable ? 426 : 404,
        upgradable ? { Upgrade: 'websocket', Connection: 'close' } : { Connection: 'close' },
      )
      .end()
  })
  http.headersTimeout = 5_000
  http.requestTimeout = 10_000
  http.maxConnections = maxConnections
  const admit = createAdmission({
    identify: options.identify,
    listenHost: host,
    names: certificate?.names ?? [],
    usualPort: certificate ? 443 : 80,
    port: () => listeningAddress(http).port,
    clock,
  })
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const verdict = admit(request)
    if (!verdict.ok) {
      log.warn('Refused a connection to the gateway', { status: verdict.status, address: request.socket.remoteAddress })
      return refuseUpgrade(socket, verdict.status, verdict.message)
    }
    if (options.isFull()) return refuseUpgrade(socket, 503, 'Too many connections at once')
    sockets.handleUpgrade(request, socket, head, (webSocket) => options.accept(webSocket, request, verdict.identity))
  })
  http.on('clientError', (_error, socket) => socket.destroy())
  http.on('tlsClientError', (_error: Error, socket: Duplex) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, () => {
      http.off('error', reject)
      resolve()
    })
  })
  http.on('error', (error) => log.error('The gateway failed', { error }))
  return http
}

async function createServer(certificate: GatewayCertificate | null, answer: RequestListener): Promise<Server> {
  const options = { connectionsCheckingInterval: 1000 }
  if (!certificate) return (await import('node:http')).createServer(options, answer)
  const { key, cert } = certificate
  const https = await import('node:https')
  return https.createServer({ ...options, key, cert, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 }, answer)
}

const reasons = new Map([
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [426, 'Upgrade Required'],
  [429, 'Too Many Requests'],
  [503, 'Service Unavailable'],
])

function refuseUpgrade(socket: Duplex, status: number, message: string): void {
  const more: Record<number, string> = {
    401: 'WWW-Authenticate: Bearer\r\n',
    426: 'Sec-WebSocket-Version: 13\r\n',
    429: 'Retry-After: 60\r\n',
  }
  const body = `${message}\n`
  socket.end(
    `HTTP/1.1 ${status} ${reasons.get(status) ?? 'Refused'}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `${more[status] ?? ''}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    // A client that keeps its end open must not keep our socket open.
    () => socket.destroy(),
  )
}
