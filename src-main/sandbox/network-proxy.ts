import { lookup } from 'node:dns/promises'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { isAllowedHost } from '../approval/allowed-host'
import { makeTemporaryFolder } from '../temporary'
import { addressTrouble } from '../web/addresses'

export interface NetworkProxy {
  /** The folder that contains the socket and nothing else. */
  socketDir: string
  socketName: string
  close(): Promise<void>
}

/**
 * The only way from inside a sandbox to the network: an HTTP proxy on a socket, which connects only to the hosts on the
 * list. The list is read at every connection, since it may change while a command runs.
 */
export async function openProxy(options: {
  hosts(): readonly string[]
  /** Ports of this machine that may be reached, where the list says nothing of it. */
  ports?: readonly number[]
  onRefused?(host: string): void
}): Promise<NetworkProxy> {
  const socketDir = makeTemporaryFolder('proxy')
  const sockets = new Set<Duplex>()
  const server = createServer()
  const track = (socket: Duplex): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }

  const addressOf = async (host: string, port: number): Promise<string | null> => {
    if (loopback.test(host) && options.ports?.includes(port)) return host === 'localhost' ? '127.0.0.1' : host
    if (!isAllowedHost(host, options.hosts())) {
      options.onRefused?.(host)
      return null
    }
    if (isIP(host)) return host
    const { address } = await lookup(host)
    // Hosts are allowed by name; a name that resolves to an address of the local network must not get through.
    return host === 'localhost' || addressTrouble(address) === null ? address : null
  }

  server.on('connect', (incoming, socket: Duplex, head) => {
    track(socket)
    void tunnel(incoming.url ?? '', socket, head).catch(() => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  })
  const tunnel = async (target: string, socket: Duplex, head: Buffer): Promise<void> => {
    const { host, port } = hostAndPort(target)
    const address = host && (await addressOf(host, port))
    if (!address) {
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n${refusal(host)}`)
      return
    }
    const upstream: Socket = connect(port, address, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      if (head.length > 0) upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    track(upstream)
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  }

  server.on('request', (incoming, response) => {
    void forward(incoming, response).catch(() => response.writeHead(502).end())
  })
  const forward = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : null
    const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
    const address = url?.protocol === 'http:' ? await addressOf(host, Number(url.port || 80)) : null
    if (!url || !address) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(refusal(host))
      return
    }
    const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = incoming.headers
    const outgoing = request(
      { host: address, port: url.port || 80, method: incoming.method, path: url.pathname + url.search, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  }

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(join(socketDir, 'proxy'), resolve))
  server.unref()
  return {
    socketDir,
    socketName: 'proxy',
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(socketDir, { recursive: true, force: true })
    },
  }
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

const refusal = (host: string): string =>
  `The sandbox does not let this command connect to ${host || 'this address'}.\n`

function hostAndPort(target: string): { host: string; port: number } {
  const found = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(target)
  return { host: (found?.[1] ?? found?.[2] ?? '').toLowerCase().replace(/\.$/, ''), port: Number(found?.[3] ?? 443) }
}
