import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { dialSecurely } from '../node-agent/dial'
import { pinOf } from './pin'
import { selfSignedCertificate } from './self-signed'
import { type Bundle, bundleAgent } from './test-agent'
import { type GatewayBench, openBench, startNode, type TestNode, until } from './test-bench'

let agent: Bundle
let bench: GatewayBench
let nodes: TestNode[]

beforeAll(async () => {
  agent = await bundleAgent()
}, 60_000)
afterAll(() => agent.remove())
beforeEach(() => {
  bench = openBench()
  nodes = []
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  await bench.close()
})

const day = 86_400_000
/** A certificate and its key, for one name. */
function certificate(name: string, to = Date.now() + day): { cert: string; key: string; pin: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const from = new Date(Math.min(Date.now(), to) - day)
  const cert = selfSignedCertificate({ key: privateKey, commonName: name, names: [name], from, to: new Date(to) })
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  return { cert, key, pin: pinOf(new X509Certificate(cert)) }
}

const start = (options: { url: string; token: string; id: string; pin?: string; env?: Record<string, string> }) => {
  const node = startNode({ script: agent.script, folder: bench.folder, ...options })
  nodes.push(node)
  return node
}
const words = (command: string, name: string): string | undefined =>
  command.split(' ')[command.split(' ').indexOf(name) + 1]

it('encrypts what other machines can reach, by a key that the invitation names', async () => {
  bench.settings.gatewayHost = '0.0.0.0'
  const invited = await bench.nodes.add({ id: 'far' })
  const { pin, port, encrypted } = bench.gateway.info()
  expect(encrypted).toBe(true)
  expect(words(invited.command, '--gateway')).toMatch(/^wss:/)
  expect(words(invited.command, '--pin')).toBe(pin)
  const url = `wss://127.0.0.1:${port}`
  start({ url, token: invited.token, id: 'far', pin: pin ?? '' })
  await until(() => bench.gateway.isConnected('far'))
  const call = { nodeId: 'far', tool: 'Bash', args: { command: 'echo over tls' }, sessionId: 'session' }
  expect(JSON.stringify(await bench.gateway.invoke(call))).toContain('over tls')

  // After a restart it has the same key, and the node reconnects by itself.
  await bench.gateway.stop()
  expect((await bench.gateway.start()).pin).toBe(pin)
  await until(() => bench.gateway.isConnected('far'))

  // A large file, which is sent in frames that we build ourselves.
  const bytes = Buffer.alloc(3_000_001, 'deckhand')
  writeFileSync(join(bench.folder, 'far-workspace', 'big'), bytes)
  const there = (name: string): string => `far:${join(bench.folder, 'far-workspace', name)}`
  const whose = { agentId: 'main', sessionId: 'session', callId: null }
  await bench.transfers.run({ source: there('big'), destination: 'gsv:big', ...whose })
  await bench.transfers.run({ source: 'gsv:big', destination: there('back'), ...whose })
  expect(readFileSync(join(bench.folder, 'far-workspace', 'back')).equals(bytes)).toBe(true)
})

it.each([
  ['another pin', (pin: string) => `${pin.slice(0, -4)}AAAA`, /shows another key than the pinned one/],
  ['no pin', () => undefined, /No authority that this machine trusts vouches for the gateway/],
])('a node with %s ends with the reason', async (_, change, reason) => {
  bench.settings.gatewayHost = '0.0.0.0'
  const { token } = await bench.nodes.add({ id: 'far' })
  const { pin, port } = bench.gateway.info()
  const given = change(pin ?? '')
  const node = start({ url: `wss://127.0.0.1:${port}`, token, id: 'far', ...(given !== undefined && { pin: given }) })
  expect(await new Promise((resolve) => node.child.on('exit', resolve))).toBe(1)
  expect(node.output()).toMatch(reason)
  expect(bench.gateway.isConnected('far')).toBe(false)
})

it('uses the certificate of the user, also on loopback', async () => {
  const { cert, key } = certificate('localhost')
  const [certificateFile, keyFile] = [join(bench.folder, 'own.pem'), join(bench.folder, 'own.key')]
  writeFileSync(certificateFile, cert)
  writeFileSync(keyFile, key)
  Object.assign(bench.settings, { gatewayCertificate: certificateFile, gatewayKey: keyFile })
  const invited = await bench.nodes.add({ id: 'far' })
  expect(invited.url).toMatch(/^wss:\/\/localhost:\d+$/)
  // The environment names the authority, so no pin is needed.
  start({ url: invited.url, token: invited.token, id: 'far', env: { NODE_EXTRA_CA_CERTS: certificateFile } })
  await until(() => bench.gateway.isConnected('far'))
})

it('does not listen with a certificate that cannot be read', async () => {
  bench.settings.gatewayCertificate = join(bench.folder, 'gone.pem')
  await expect(bench.gateway.start()).rejects.toThrow(/certificate file .*gone\.pem cannot be read/)
  expect(bench.gateway.info()).toMatchObject({ url: null, problem: expect.stringContaining('cannot be read') })
})

/** A TLS server that records what it receives. */
async function listen({ cert, key }: { cert: string; key: string }) {
  let received = ''
  const server = createServer({ cert, key }, (socket) => {
    socket.on('data', (bytes) => {
      received += bytes
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: new URL(`wss://127.0.0.1:${port}`), received: () => received, close: () => server.close() }
}

it('tells an expired certificate and another name apart, and sends nothing', async () => {
  const expired = certificate('127.0.0.1', Date.now() - day)
  const other = await listen(certificate('desk.example'))
  const old = await listen(expired)
  await expect(dialSecurely(old.url, expired.pin, 5000)).rejects.toThrow(/has expired/)
  await expect(dialSecurely(old.url, undefined, 5000)).rejects.toThrow(/No authority|has expired/)
  await expect(dialSecurely(other.url, certificate('x').pin, 5000)).rejects.toThrow(/another key than the pinned one/)
  expect([old.received(), other.received()]).toEqual(['', ''])
  old.close()
  other.close()
})

it('says of a trusted certificate that it has expired or is for another name', async () => {
  const servers = await Promise.all(
    [certificate('127.0.0.1', Date.now() - day), certificate('desk.example')].map(async (each, index) => {
      const file = join(bench.folder, `${index}.pem`)
      writeFileSync(file, each.cert)
      return { ...(await listen(each)), file }
    }),
  )
  const said = await Promise.all(
    servers.map(async ({ url, file }, index) => {
      const node = start({ url: url.href, token: 'x', id: `n${index}`, env: { NODE_EXTRA_CA_CERTS: file } })
      expect(await new Promise((resolve) => node.child.on('exit', resolve))).toBe(1)
      return node.output()
    }),
  )
  expect(said[0]).toMatch(/has expired/)
  expect(said[1]).toMatch(/belongs to another name than 127\.0\.0\.1/)
  expect(servers.map(({ received }) => received())).toEqual(['', ''])
  for (const { close } of servers) close()
})

it('says that the other side does not speak TLS, and does not wait for ever', async () => {
  const silent = createPlainServer()
  const plain = createPlainServer((socket) =>
    socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).on('error', () => {}),
  )
  const port = async (server: typeof plain): Promise<URL> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return new URL(`wss://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
  }
  await expect(dialSecurely(await port(plain), undefined, 5000)).rejects.toThrow(/does not speak TLS/)
  await expect(dialSecurely(await port(silent), undefined, 300)).rejects.toThrow(/did not answer in time/)
  plain.close()
  silent.close()
})

it.each([
  [
    'an address of another machine without encryption',
    ['--gateway', 'ws://10.0.0.1:47615', '--token', 't'],
    /is another machine, and ws:\/\/ is not encrypted/,
  ],
  ['a pin that is none', ['--gateway', 'wss://10.0.0.1', '--token', 't', '--pin', 'abc'], /--pin is sha256:/],
  [
    'a pin without encryption',
    ['--gateway', 'ws://127.0.0.1:1', '--token', 't', '--pin', `sha256:${'a'.repeat(43)}`],
    /--pin needs an address with wss/,
  ],
])('refuses %s', async (_, args, reason) => {
  const { spawnSync } = await import('node:child_process')
  const { status, stderr } = spawnSync('node', [agent.script, ...args], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringMatching(reason)])
})
