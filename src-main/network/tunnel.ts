import { connect, isIP, type Socket } from 'node:net'
import { redact } from '../redact'
import { type ProxyAddress, proxyAuthorization, shownProxy } from './proxy-address'
import { openSocks } from './socks'
import { certificateTrouble, NetworkTrouble, proxyPassword, proxyRefused, proxyUnreachable } from './trouble'

const patienceMs = 30_000
const maxHeadBytes = 32 * 1024

/** A connection to a host and port through a proxy. Throws a `NetworkTrouble` if the proxy is in the way. */
export async function openTunnel(proxy: ProxyAddress, host: string, port: number): Promise<Socket> {
  const socket = await reachProxy(proxy)
  const limit = setTimeout(() => socket.destroy(timedOut()), patienceMs)
  try {
    if (proxy.scheme === 'socks5') await openSocks(socket, proxy, host, port)
    else await askForTunnel(socket, proxy, host, port)
    return socket
  } catch (error) {
    socket.destroy()
    throw error instanceof NetworkTrouble ? error : proxyUnreachable(proxy, error)
  } finally {
    clearTimeout(limit)
  }
}

const timedOut = (): Error => Object.assign(new Error('The proxy did not answer in time'), { code: 'ETIMEDOUT' })

async function reachProxy(proxy: ProxyAddress): Promise<Socket> {
  const { host, port } = proxy
  const tls = proxy.scheme === 'https' ? await import('node:tls') : null
  const socket = tls
    ? tls.connect({ host, port, ...(isIP(host) === 0 && { servername: host }) })
    : connect({ host, port })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const limit = setTimeout(() => socket.destroy(timedOut()), patienceMs)
  socket.once(tls ? 'secureConnect' : 'connect', resolve)
  socket.once('error', reject)
  try {
    await promise
    socket.off('error', reject)
    socket.setNoDelay(true)
    return socket
  } catch (error) {
    throw certificateTrouble(error, `the proxy ${shownProxy(proxy)}`) ?? proxyUnreachable(proxy, error)
  } finally {
    clearTimeout(limit)
  }
}

async function askForTunnel(socket: Socket, proxy: ProxyAddress, host: string, port: number): Promise<void> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const authorization = proxyAuthorization(proxy)
  const head = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`, 'User-Agent: deckhand']
  if (authorization) head.push(`Proxy-Authorization: ${authorization}`)
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const answer = await readHead(socket)
  const [, status = '', words = ''] = /^HTTP\/1\.\d (\d{3})\s*([^\r\n]*)/.exec(answer) ?? []
  if (status.startsWith('2')) return
  if (status === '407') throw proxyPassword(proxy, offersIn(answer))
  // Some repeat what they were sent.
  const said = redact(words.replace(/[^ -~]/g, ''), [authorization?.replace('Basic ', '') ?? '', proxy.password ?? ''])
  if (status !== '') throw proxyRefused(proxy, target, `${status} ${said.slice(0, 60)}`.trim())
  throw proxyRefused(proxy, target, 'it does not answer as a proxy')
}

/** What the proxy accepts, of which most have a header line for each. */
const offersIn = (answer: string): string =>
  [...answer.matchAll(/^proxy-authenticate:[ \t]*(.*)$/gim)].map(([, offer = '']) => offer.trim()).join(', ')

/** Up to the empty line; what follows belongs to the tunnel and is put back. */
function readHead(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let read = Buffer.alloc(0)
  const onData = (chunk: Buffer): void => {
    read = Buffer.concat([read, chunk])
    const end = read.indexOf('\r\n\r\n')
    // What does not begin like an answer does not become one: a program of another kind may wait for us to go on.
    const mayBeAnswer = 'HTTP/'.startsWith(read.toString('latin1', 0, 5))
    if (end === -1 && mayBeAnswer && read.length < maxHeadBytes) return
    done()
    if (end !== -1 && read.length > end + 4) socket.unshift(read.subarray(end + 4))
    resolve(read.subarray(0, end === -1 ? maxHeadBytes : end).toString('latin1'))
  }
  const onEnd = (): void => {
    done()
    reject(Object.assign(new Error('The proxy closed the connection'), { code: 'ECONNRESET' }))
  }
  const onError = (error: Error): void => {
    done()
    reject(error)
  }
  const done = (): void => {
    socket.pause()
    socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError)
  }
  socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError)
  return promise
}
