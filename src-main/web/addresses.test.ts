import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressTrouble } from './addresses'
import { createFetch, type Resolve } from './guarded-fetch'

const names = new Map<string, string[]>([
  ['public.example', ['93.184.216.34']],
  ['multi.example', ['93.184.216.34', '10.0.0.5']],
  ['aaaa.example', ['93.184.216.34', '::1']],
  ['cname.example', ['127.0.0.1']],
])
const resolve: Resolve = async (host) =>
  (names.get(host) ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

let server: Server
let base = ''
/** What reached the server, so that a refusal can be told from an error that came too late. */
const reached: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    reached.push(request.url ?? '')
    const url = new URL(request.url ?? '/', 'http://x')
    if (url.pathname === '/to')
      return void response.writeHead(302, { location: url.searchParams.get('at') ?? '' }).end()
    if (url.pathname === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    if (url.pathname === '/hop') {
      const left = Number(url.searchParams.get('left'))
      if (left > 0) return void response.writeHead(307, { location: `/hop?left=${left - 1}` }).end()
    }
    if (url.pathname === '/bomb') {
      return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024)))
    }
    if (url.pathname === '/headers') return void response.writeHead(200, { 'x-long': 'a'.repeat(1024 * 1024) }).end()
    if (url.pathname === '/slow') return
    response.end('hello')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const kind = (url: string, allowLocal = false, timeoutMs = 20_000) =>
  createFetch({ allowLocal: () => allowLocal, resolve })({ url, keepBytes: 1000, timeoutMs }).then(
    () => 'fetched',
    (error) => error.kind,
  )

describe('addresses that are not on the public internet', () => {
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.0.1',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    'fec0::1',
    '100::1',
    '2001::1',
  ])('%s', (address) => expect(addressTrouble(address)).not.toBeNull())

  it.each(['93.184.216.34', '1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
    'but %s is',
    (address) => expect(addressTrouble(address)).toBeNull(),
  )
})

describe('hosts in any spelling', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.0.0.1./',
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://a.localhost/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://[::1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://0/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://printer.local/',
    'http://router/',
    'http://multi.example/',
    'http://aaaa.example/',
    'http://cname.example/',
    'http://user@public.example/',
    'http://user:secret@public.example/',
    'http://example.com@127.0.0.1/',
  ])('%s is refused', async (url) => expect(await kind(url)).toBe('refused'))

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_x',
    'data:text/html,x',
    'view-source:http://127.0.0.1',
    'app://renderer/',
    'http://',
    'https://',
    '//127.0.0.1/',
    'http:127.0.0.1',
    'http:/\\127.0.0.1/',
    'http://exa mple.com/',
    'javascript:1',
    'http://1.1.1.1 &@2.2.2.2# @3.3.3.3/',
    'http://[fe80::1%25lo0]/',
    '',
    'ftp://public.example/',
  ])('%s makes no sense', async (url) => expect(await kind(url)).toBe('invalid'))

  it('a port of another protocol is not asked', async () =>
    expect(await kind('http://public.example:22/')).toBe('failed'))
})

describe('with local addresses allowed', () => {
  it('fetches from this machine', async () => {
    const fetch = createFetch({ allowLocal: () => true })
    expect(await fetch({ url: `${base}/`, keepBytes: 3 })).toMatchObject({
      status: 200,
      bytes: 5,
      whole: false,
      body: Buffer.from('hel'),
    })
  })
  it('follows five redirects, and not six', async () => {
    expect(await kind(`${base}/hop?left=5`, true)).toBe('fetched')
    expect(await kind(`${base}/hop?left=6`, true)).toBe('failed')
    expect(await kind(`${base}/loop`, true)).toBe('failed')
  })
  it('tells of a redirect to another host instead of following it', async () => {
    const fetch = createFetch({ allowLocal: () => true })
    const at = 'http://other.example/x'
    expect(await fetch({ url: `${base}/to?at=${at}`, keepBytes: 10 })).toMatchObject({ status: 302, redirect: at })
  })
  it('refuses a redirect to another scheme', async () =>
    expect(await kind(`${base}/to?at=file:///etc/passwd`, true)).toBe('invalid'))
  it('ends a decompression bomb', async () => {
    const fetched = await createFetch({ allowLocal: () => true })({ url: `${base}/bomb`, keepBytes: 1000 })
    expect(fetched.body.length).toBe(1000)
    expect(fetched.whole).toBe(false)
    expect(fetched.bytes).toBeLessThan(40 * 1024 * 1024)
  })
  it('refuses huge headers and waits only so long', async () => {
    expect(await kind(`${base}/headers`, true)).toBe('failed')
    expect(await kind(`${base}/slow`, true, 300)).toBe('timeout')
  })
  it('stops when told to', async () => {
    const stop = new AbortController()
    const fetching = createFetch({ allowLocal: () => true })({ url: `${base}/slow`, keepBytes: 1, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(fetching).rejects.toThrow('enough')
  })
})

it('checks the very address that it connects to', async () => {
  // The first answer is public, the second is not: only one is ever asked for, and that one is checked.
  let asked = 0
  const rebinding: Resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '93.184.216.34', family: 4 }]
  const before = reached.length
  const port = new URL(base).port
  await expect(
    createFetch({ allowLocal: () => false, resolve: rebinding })({
      url: `http://rebind.example:${port}/secret`,
      keepBytes: 10,
    }),
  ).rejects.toMatchObject({ kind: 'refused' })
  expect(reached.slice(before)).toEqual([])
})

it('does not go through a proxy of the environment', async () => {
  process.env.HTTP_PROXY = base
  const before = reached.length
  expect(await kind('http://public.example:9/', false, 1000)).not.toBe('fetched')
  delete process.env.HTTP_PROXY
  expect(reached.slice(before)).toEqual([])
})
