import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { ProxyAddress } from './proxy-address'
import { proxyPassword, proxyRefused } from './trouble'

const refusals = ['', 'general failure', 'not allowed', 'network unreachable', 'host unreachable', 'refused']

/** The greeting and the request of SOCKS 5 (RFC 1928), with a name and a password (RFC 1929) where there are some. */
export async function openSocks(socket: Socket, proxy: ProxyAddress, host: string, port: number): Promise<void> {
  const read = reader(socket)
  try {
    const methods = proxy.user === undefined ? [0] : [0, 2]
    socket.write(Buffer.from([5, methods.length, ...methods]))
    const [version, method] = await read(2)
    if (version !== 5) throw proxyRefused(proxy, host, 'it does not answer as a SOCKS 5 proxy')
    if (method === 2) await signIn(socket, read, proxy)
    else if (method !== 0) throw proxyPassword(proxy, '')
    socket.write(Buffer.from([5, 1, 0, ...targetBytes(host), port >> 8, port & 255]))
    const [, status = 1, , kind] = await read(4)
    const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await read(1))[0] ?? 0)
    await read(length + 2)
    if (status !== 0) throw proxyRefused(proxy, `${host}:${port}`, refusals[status] ?? `code ${status}`)
  } finally {
    socket.pause()
    socket.removeAllListeners('readable')
  }
}

/** An address as such; a name is left to the proxy to look up. */
function targetBytes(host: string): number[] {
  const kind = isIP(host)
  if (kind === 4) return [1, ...host.split('.').map(Number)]
  if (kind === 6) return [4, ...ipaddr.parse(host).toByteArray()]
  const name = Buffer.from(host)
  return [3, name.length, ...name]
}

async function signIn(socket: Socket, read: Reader, proxy: ProxyAddress): Promise<void> {
  const [user, password] = [Buffer.from(proxy.user ?? ''), Buffer.from(proxy.password ?? '')]
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]))
  const [, status] = await read(2)
  if (status !== 0) throw proxyPassword(proxy, '')
}

type Reader = (bytes: number) => Promise<Buffer>

/** Exactly so many bytes, one request after the other. */
const reader =
  (socket: Socket): Reader =>
  (bytes) => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const look = (): void => {
      const got: Buffer | null = bytes === 0 ? Buffer.alloc(0) : socket.read(bytes)
      if (got === null) return
      done()
      resolve(got)
    }
    const onError = (error: Error): void => {
      done()
      reject(error)
    }
    const onClose = (): void =>
      onError(Object.assign(new Error('The proxy closed the connection'), { code: 'ECONNRESET' }))
    const done = (): void => void socket.off('readable', look).off('error', onError).off('close', onClose)
    socket.on('readable', look).on('error', onError).on('close', onClose)
    look()
    return promise
  }
