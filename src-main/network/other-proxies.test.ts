import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, createServer as createPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createNetwork, type Network } from './network'
import { type PrivateAuthority, privateAuthority } from './testing/private-authority'
import { type SocksServer, startSocks } from './testing/socks-server'

/* Proxies that are not plain HTTP: SOCKS 5, and HTTP that is itself spoken over TLS. */

let folder: string
let authority: PrivateAuthority
let plain: Server
let secure: Server
let hosts: Record<string, string>
const open: { close(): unknown }[] = []

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
const listening = async <S extends Server>(server: S): Promise<S> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-proxies-'))
  authority = privateAuthority(folder)
  plain = await listening(createHttp((incoming, response) => void response.end(`plain ${incoming.url}`)))
  const issued = authority.issue('secure.example')
  secure = await listening(createHttps(issued, (incoming, response) => void response.end(`secure ${incoming.url}`)))
  hosts = { 'plain.example': `127.0.0.1:${portOf(plain)}`, 'secure.example': `127.0.0.1:${portOf(secure)}` }
}, 60_000)
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

const socks = async (options: Parameters<typeof startSocks>[0] = {}): Promise<SocksServer> => {
  const server = await startSocks({ hosts, ...options })
  open.push(server)
  return server
}
const networkBy = (proxy: string, certificateFile = authority.file): Network => {
  const settings = { proxy: '', proxyUser: '', proxyPassword: null, certificateFile }
  const env = { ALL_PROXY: proxy }
  const network = createNetwork({ env, settings: () => settings, onSecret: () => {}, warn: () => {} })
  open.push(network)
  return network
}
const get = async (network: Network, address: string): Promise<string> => (await network.fetch(address)).text()

/** HTTP over TLS, with CONNECT alone. */
async function tlsProxy(certificate: { key: string; cert: string }) {
  const asked: string[] = []
  const server = createHttps(certificate)
  server.on('connect', (incoming, socket) => {
    asked.push(`${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`.trim())
    const [host = '', port] = (incoming.url ?? '').split(':')
    const [address = '', other] = (hosts[host] ?? `${host}:${port}`).split(':')
    const upstream = connect({ host: address, port: Number(other) }, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    for (const each of [socket, upstream]) each.on('error', () => {})
  })
  await listening(server)
  open.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return { port: portOf(server), asked }
}

test('SOCKS 5 leads to https and to http, and looks names up itself', async () => {
  const proxy = await socks()
  const network = networkBy(`socks5h://127.0.0.1:${proxy.port}`)
  expect(await get(network, 'https://secure.example/a')).toBe('secure /a')
  expect(await get(network, 'http://plain.example/b')).toBe('plain /b')
  // The first of them again, once the user's authority was read.
  expect([...new Set(proxy.asked)]).toEqual(['secure.example:443', 'plain.example:80'])
  expect(await network.test(new URL('https://secure.example/'))).toMatchObject({
    ok: true,
    message: expect.stringContaining(`through the proxy socks5://127.0.0.1:${proxy.port}`),
  })
})

test('SOCKS 5 with a name and a password', async () => {
  const proxy = await socks({ user: 'me', password: 'correct horse' })
  expect(await get(networkBy(`socks5://me:correct%20horse@127.0.0.1:${proxy.port}`), 'http://plain.example/')).toBe(
    'plain /',
  )
  for (const user of ['me:wrong@', '']) {
    const network = networkBy(`socks5://${user}127.0.0.1:${proxy.port}`)
    await expect(network.fetch('http://plain.example/')).rejects.toMatchObject({
      kind: 'proxy',
      message: expect.stringMatching(/user name/),
    })
  }
})

test('SOCKS 5 gets an address as such', async () => {
  const proxy = await socks({ refuse: 2 })
  for (const address of ['http://[2001:db8::17]:81/', 'http://192.0.2.7/'])
    await expect(networkBy(`socks5://127.0.0.1:${proxy.port}`).fetch(address)).rejects.toMatchObject({
      message: expect.stringMatching(/does not let Deckhand connect to .* \(not allowed\)/),
    })
  expect(proxy.asked).toEqual(['v6 20010db8000000000000000000000017:81', 'v4 192.0.2.7:80'])
})

test('what is no SOCKS proxy is told as such', async () => {
  const other = createPlain(
    (socket) => void socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).on('error', () => {}),
  )
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  open.push(other)
  const network = networkBy(`socks5://127.0.0.1:${portOf(other)}`)
  await expect(network.fetch('http://plain.example/')).rejects.toMatchObject({
    message: expect.stringContaining('does not answer as a SOCKS 5 proxy'),
  })
})

test('a proxy that is spoken to by TLS leads to https and to http, with its password', async () => {
  const proxy = await tlsProxy(authority.issue('127.0.0.1'))
  const network = networkBy(`https://me:word@127.0.0.1:${proxy.port}`)
  expect(await get(network, 'https://secure.example/a')).toBe('secure /a')
  expect(await get(network, 'http://plain.example/b')).toBe('plain /b')
  const password = `Basic ${Buffer.from('me:word').toString('base64')}`
  expect(proxy.asked).toEqual([`secure.example:443 ${password}`, `plain.example:80 ${password}`])
})

test('the certificate of such a proxy is checked, and named when it is the trouble', async () => {
  const stranger = privateAuthority(mkdtempSync(join(folder, 'stranger-')))
  const unknown = await tlsProxy(stranger.issue('127.0.0.1'))
  const wrong = await tlsProxy(authority.issue('proxy.example'))
  for (const [{ port }, words] of [
    [unknown, /certificate of the proxy https:\/\/127\.0\.0\.1:\d+ is signed by an authority/],
    [wrong, /certificate of the proxy https:\/\/127\.0\.0\.1:\d+ belongs to another name/],
  ] as const)
    await expect(networkBy(`https://127.0.0.1:${port}`).fetch('http://plain.example/')).rejects.toMatchObject({
      kind: 'certificate',
      message: expect.stringMatching(words),
    })
  expect([...unknown.asked, ...wrong.asked]).toEqual([])
})
