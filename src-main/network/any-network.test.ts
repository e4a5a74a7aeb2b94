import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openaiModel } from '../agent/openai'
import { ask, chat, collect, say, serve } from '../agent/test-server'
import { openHttpServer, openMcpBench, until } from '../mcp/test-bench'
import { fetchManifest } from '../updates/fetch-manifest'
import { createWeb } from '../web/web'
import { createNetwork, type Network, type NetworkSettings } from './network'
import { type PrivateAuthority, privateAuthority } from './testing/private-authority'
import { type ProxyProcess, startProxy } from './testing/proxy-process'
import { NetworkTrouble } from './trouble'

/*
 * A network as companies have it: everything leaves through a proxy that asks for a password, and servers show
 * certificates of an authority that only the company knows. The proxy is a process of its own.
 */
const password = 'correct horse/battery'
let folder: string
let authority: PrivateAuthority
let model: Awaited<ReturnType<typeof serve>>
let reference: Awaited<ReturnType<typeof openHttpServer>>
let secure: Server
let proxy: ProxyProcess
const settings: NetworkSettings = { proxy: '', proxyUser: '', proxyPassword: null, certificateFile: '' }
const networks: Network[] = []

const networkWith = (env: Record<string, string>): Network => {
  const network = createNetwork({ env, settings: () => settings, onSecret: () => {}, warn: () => {} })
  networks.push(network)
  return network
}
const proxied = (user = `me:${encodeURIComponent(password)}@`): Network =>
  networkWith({
    HTTPS_PROXY: `http://${user}127.0.0.1:${proxy.port}`,
    HTTP_PROXY: `http://${user}127.0.0.1:${proxy.port}`,
  })

/** Passes on to the model, or to the reference server where the path says so. */
const startSecure = async (port: number, other: number): Promise<Server> => {
  const issued = authority.issue('models.example', 'tools.example', 'pages.example', '127.0.0.1')
  const server = createServer(issued, (incoming, response) => {
    if (incoming.headers.host === 'pages.example') {
      response.end('<p>A page</p>')
      return
    }
    const target = incoming.url?.startsWith('/mcp') ? other : port
    const { method, url, headers } = incoming
    incoming.pipe(
      request(
        { host: '127.0.0.1', port: target, method, path: url, headers: { ...headers, host: `127.0.0.1:${target}` } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        },
      ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-network-'))
  authority = privateAuthority(folder)
  model = await serve(chat(say('Hello from behind.', 'stop')))
  reference = await openHttpServer()
  secure = await startSecure(model.port, reference.port)
  const { port } = secure.address() as AddressInfo
  const here = `127.0.0.1:${port}`
  proxy = await startProxy({
    user: `me:${password}`,
    hosts: {
      'models.example': here,
      'tools.example': here,
      'pages.example': here,
      'plain.example': `127.0.0.1:${model.port}`,
      '93.184.216.34': `127.0.0.1:${model.port}`,
    },
  })
}, 60_000)
beforeEach(() => {
  proxy.asked.length = 0
})
afterAll(async () => {
  await Promise.all(networks.map((network) => network.close()))
  secure.closeAllConnections()
  secure.close()
  await Promise.all([proxy.close(), reference.close(), model[Symbol.asyncDispose]()])
  rmSync(folder, { recursive: true, force: true })
})

const turn = async (network: Network, baseUrl: string) => {
  const events = await collect(openaiModel({ baseUrl, key: () => 'sk-test', network }).stream(ask()))
  const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
  const failed = events.find((event) => event.type === 'error')
  return failed?.type === 'error' ? failed.error : text
}
const https = 'https://models.example/v1'

test('an authority that nobody knows is named as the trouble, not the proxy', async () => {
  const error = await turn(proxied(), https)
  expect(error).toMatchObject({ kind: 'certificate' })
  expect(JSON.stringify(error)).toMatch(/certificate of models\.example.*NODE_EXTRA_CA_CERTS/)
  expect(model.requests).toEqual([])
})

test.each([
  ['no name', '', /asks for a user name and a password \(407\).*Settings → Network/],
  ['a wrong password', 'me:wrong@', /refused the user name or the password \(407\)/],
])('%s is told as the trouble of the proxy, over https and http', async (_what, user, words) => {
  for (const address of [https, 'http://plain.example/v1']) {
    const error = await turn(proxied(user), address)
    expect(error).toMatchObject({ kind: 'proxy' })
    expect(JSON.stringify(error)).toMatch(words)
  }
})

test('a proxy that is not there, or does not let us through, is told as such', async () => {
  const gone = networkWith({ ALL_PROXY: 'http://me:secret-word@127.0.0.1:9' })
  for (const address of [https, 'http://plain.example/v1']) {
    const error = await turn(gone, address)
    expect(error).toMatchObject({
      kind: 'proxy',
      message: 'The proxy 127.0.0.1:9 cannot be reached: nothing answers there.',
    })
    expect(JSON.stringify(error)).not.toContain('secret-word')
    expect(JSON.stringify(error)).toContain('ALL_PROXY')
  }
  expect(await turn(proxied(), 'https://forbidden.example/v1')).toMatchObject({
    kind: 'proxy',
    message: expect.stringContaining('does not let Deckhand connect to forbidden.example:443 (403 Forbidden)'),
  })
})

test('models answer through the proxy once the authority is named, and the connection is kept', async () => {
  settings.certificateFile = authority.file
  const network = proxied()
  expect(await turn(network, https)).toBe('Hello from behind.')
  proxy.asked.length = 0
  expect(await turn(network, https)).toBe('Hello from behind.')
  expect(proxy.asked).toEqual([])
  expect(model.requests.at(-1)?.headers['proxy-authorization']).toBeUndefined()
  expect(await turn(network, 'http://plain.example/v1')).toBe('Hello from behind.')
  expect(proxy.asked).toEqual(['POST http://plain.example/v1/chat/completions'])
})

test('an authority of NODE_EXTRA_CA_CERTS is trusted, and a file that is not there is named', async () => {
  settings.certificateFile = ''
  const other = privateAuthority(mkdtempSync(join(folder, 'other-')))
  const server = createServer(other.issue('127.0.0.1'), (_incoming, response) => void response.end('fine'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await expect(networkWith({ NODE_EXTRA_CA_CERTS: '/no/such.pem' }).fetch(address)).rejects.toMatchObject({
    kind: 'certificate',
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS names /no/such.pem, which cannot be read.'),
  })
  const response = await networkWith({ NODE_EXTRA_CA_CERTS: other.file }).fetch(address)
  expect(await response.text()).toBe('fine')
  server.closeAllConnections()
  server.close()
})

test('a damaged certificate in a file is named, and keeps no other out', async () => {
  const other = privateAuthority(mkdtempSync(join(folder, 'damaged-')))
  const server = createServer(other.issue('127.0.0.1'), (_incoming, response) => void response.end('fine'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const damaged = join(folder, 'damaged.pem')
  const block = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  writeFileSync(damaged, block)
  await expect(networkWith({ NODE_EXTRA_CA_CERTS: damaged }).fetch(address)).rejects.toMatchObject({
    kind: 'certificate',
    hint: expect.stringContaining(`NODE_EXTRA_CA_CERTS names ${damaged}, which holds a certificate that is damaged.`),
  })
  // As `openssl x509 -trustout` writes it.
  writeFileSync(damaged, block + readFileSync(other.file, 'utf8').replaceAll(' CERTIFICATE', ' TRUSTED CERTIFICATE'))
  const response = await networkWith({ NODE_EXTRA_CA_CERTS: damaged }).fetch(address)
  expect(await response.text()).toBe('fine')
  server.closeAllConnections()
  server.close()
})

test('the list of updates is looked up through the proxy', async () => {
  const source = { url: 'https://pages.example/updates', publicKey: '' }
  const looking = { dataDir: folder, current: '1.0.0' }
  // What comes back is no signed list, and is refused as such.
  await expect(fetchManifest(source, { ...looking, fetch: proxied().fetch })).rejects.not.toBeInstanceOf(NetworkTrouble)
  expect(proxy.asked).toContain('CONNECT pages.example:443')
  await expect(fetchManifest(source, { ...looking, fetch: proxied('me:wrong@').fetch })).rejects.toBeInstanceOf(
    NetworkTrouble,
  )
})

test('loopback is never proxied', async () => {
  expect(await turn(proxied(), `${model.url}/v1`)).toBe('Hello from behind.')
  expect(proxy.asked.filter((line) => line.includes('127.0.0.1'))).toEqual([])
})

test('an MCP server is reached through the proxy, and its trouble is told', async () => {
  const servers = { tools: { url: 'https://tools.example/mcp', enabled: true } }
  const bench = openMcpBench({ mcpServers: servers, fetch: proxied().fetch })
  await bench.mcp.start()
  expect(bench.mcp.view()).toMatchObject([{ id: 'tools', state: 'ready' }])
  const echo = bench.mcp.tools().get('tools__echo')
  const options = { signal: AbortSignal.timeout(20_000), folder, onProgress: () => {} }
  expect(await echo?.call({ message: 'through' }, options)).toMatchObject({ content: [{ text: 'Echo: through' }] })
  expect(proxy.asked).toContain('CONNECT tools.example:443')
  await bench.close()

  const locked = openMcpBench({ mcpServers: servers, fetch: proxied('me:wrong@').fetch })
  await locked.mcp.start()
  await until(() => locked.mcp.view()[0]?.error !== undefined)
  expect(locked.mcp.view()[0]?.error).toMatch(
    /The proxy 127\.0\.0\.1:\d+ refused the user name or the password \(407\)/,
  )
  await locked.close()
})

test('pages are fetched through the proxy, and private addresses stay out of reach', async () => {
  const addresses: Record<string, string> = { 'inside.example': '10.0.0.7', 'plain.example': '93.184.216.34' }
  const web = createWeb({
    allowLocal: () => false,
    searchEndpoint: () => '',
    network: proxied(),
    resolve: async (name) => {
      const address = addresses[name]
      if (address === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
      return [{ address, family: 4 }]
    },
  })
  const get = (url: string) => web.fetch({ url, keepBytes: 1000 }).then(({ body }) => body.toString())
  // Only the proxy can look it up, and TLS shows that it is the right one.
  expect(await get('https://pages.example/')).toBe('<p>A page</p>')
  // Without encryption the proxy is given the very address that was checked.
  await get('http://plain.example/v1')
  const asked = () => proxy.asked.filter((line) => !line.includes('tools.example'))
  expect(asked()).toEqual(['CONNECT pages.example:443', 'CONNECT 93.184.216.34:80'])
  proxy.asked.length = 0
  await expect(get('http://pages.example/')).rejects.toThrow('use https:// instead')
  for (const url of ['https://inside.example/', 'http://inside.example/'])
    await expect(get(url)).rejects.toThrow('10.0.0.7')
  for (const url of [
    'http://169.254.169.254/latest',
    'https://10.0.0.7/',
    'http://127.0.0.1/',
    'http://localhost/',
    'http://printer/',
    'http://[::1]/',
  ])
    await expect(get(url)).rejects.toMatchObject({ kind: 'refused' })
  expect(asked()).toEqual([])
  await web.close()
  const locked = createWeb({ allowLocal: () => false, searchEndpoint: () => '', network: proxied('me:wrong@') })
  await expect(locked.fetch({ url: 'https://pages.example/', keepBytes: 10 })).rejects.toThrow(
    /The proxy .* refused the user name or the password \(407\)/,
  )
  await locked.close()
})
