import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { exchange } from '../agent/exchange'
import { environmentProxy, goesDirect, unusableProxies } from './environment'
import { createNetwork, type NetworkSettings } from './network'
import { parsePacAnswer, parseProxy, shownProxy } from './proxy-address'

const url = (text: string) => new URL(text)
const plain: NetworkSettings = { proxy: '', proxyUser: '', proxyPassword: null, certificateFile: '' }
const networkWith = (
  env: Record<string, string>,
  settings: Partial<NetworkSettings> = {},
  systemProxy?: (url: string) => Promise<string>,
) => {
  const hidden: string[] = []
  const network = createNetwork({
    env,
    settings: () => ({ ...plain, ...settings }),
    onSecret: (secret) => void hidden.push(secret),
    warn: () => {},
    ...(systemProxy && { systemProxy }),
  })
  const shown = async (address: string) => {
    const proxy = await network.proxyFor(url(address))
    return proxy && `${shownProxy(proxy)} by ${proxy.from}`
  }
  return { network, hidden, shown }
}

test('reads the addresses of proxies', () => {
  expect(parseProxy('http://me:p%40ss@proxy.corp:3128/', 'X')).toEqual({
    scheme: 'http',
    host: 'proxy.corp',
    port: 3128,
    user: 'me',
    password: 'p@ss',
    from: 'X',
  })
  expect(parseProxy('proxy.corp:8080', 'X')).toMatchObject({ scheme: 'http', host: 'proxy.corp', port: 8080 })
  expect(parseProxy('http://proxy.corp', 'X')?.port).toBe(80)
  expect(parseProxy('socks5h://[::1]:9050', 'X')).toMatchObject({ scheme: 'socks5', host: '::1', port: 9050 })
  expect(parseProxy('ftp://proxy.corp', 'X')).toBeNull()
  expect(parseProxy('http://', 'X')).toBeNull()
  expect(parseProxy('http://proxy.corp:3128/path?x#y', 'X')).toMatchObject({ host: 'proxy.corp', port: 3128 })
  for (const mark of ['#', '/', '?']) expect(parseProxy(`http://me:12${mark}34@proxy.corp:3128`, 'X')).toBeNull()
})

test('reads what the system and PAC scripts say', () => {
  expect(parsePacAnswer('DIRECT')).toBeNull()
  expect(parsePacAnswer('')).toBeNull()
  expect(parsePacAnswer('PROXY a.corp:3128; DIRECT')).toMatchObject({ scheme: 'http', host: 'a.corp', port: 3128 })
  expect(parsePacAnswer('SOCKS5 b.corp:1080')).toMatchObject({ scheme: 'socks5', host: 'b.corp' })
  expect(parsePacAnswer('HTTPS c.corp:443;PROXY d.corp:1')).toMatchObject({
    scheme: 'https',
    host: 'c.corp',
    port: 443,
  })
  expect(parsePacAnswer('QUIC x:1; PROXY d.corp:81')).toMatchObject({ host: 'd.corp', port: 81 })
})

test('the environment names a proxy for each scheme, in both cases', () => {
  const of = (env: Record<string, string>, address: string) => environmentProxy(env, url(address))?.host ?? null
  expect(of({ HTTPS_PROXY: 'http://a:1' }, 'https://x.org')).toBe('a')
  expect(of({ HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:1' }, 'https://x.org')).toBe('b')
  expect(of({ HTTPS_PROXY: 'http://a:1' }, 'http://x.org')).toBeNull()
  expect(of({ http_proxy: 'http://a:1' }, 'http://x.org')).toBe('a')
  expect(of({ ALL_PROXY: 'socks5://s:1', HTTPS_PROXY: '' }, 'https://x.org')).toBe('s')
  expect(unusableProxies({ HTTPS_PROXY: 'gopher://x', ALL_PROXY: 'http://fine' })).toEqual(['HTTPS_PROXY'])
})

test.each([
  ['', 'https://127.0.0.1:1/', true],
  ['', 'http://localhost/', true],
  ['', 'http://[::1]:8080/', true],
  ['<-loopback>', 'http://localhost/', false],
  ['', 'https://example.org/', false],
  ['*', 'https://example.org/', true],
  ['example.org', 'https://example.org/', true],
  ['example.org', 'https://api.example.org/', true],
  ['.example.org', 'https://api.example.org/', true],
  ['*.example.org', 'https://api.example.org/', true],
  ['example.org', 'https://badexample.org/', false],
  ['other.org, EXAMPLE.org', 'https://example.org/', true],
  ['example.org:8443', 'https://example.org/', false],
  ['example.org:443', 'https://example.org/', true],
  ['10.0.0.0/8', 'http://10.1.2.3/', true],
  ['10.0.0.0/8', 'http://11.1.2.3/', false],
  ['fd00::/8', 'http://[fd12::1]/', true],
  ['10.1.2.3', 'http://10.1.2.3/', true],
  ['fd00:0::0001', 'http://[fd00::1]/', true],
  ['[fd00:0::0001]:8080', 'http://[fd00::1]:8080/', true],
  ['[fd00:0::0001]:8080', 'http://[fd00::1]/', false],
  ['fd00::2', 'http://[fd00::1]/', false],
  ['[fe80::1%eth0]', 'http://[fd00::1]/', false],
  ['[fd12::]/64', 'http://[fd12::1]/', true],
  ['[fd12::]/64', 'http://[fd13::1]/', false],
  ['example.org', 'https://api.example.org./', true],
  ['', 'http://localhost./', true],
])('NO_PROXY=%s, %s: without a proxy is %s', (list, address, direct) => {
  expect(goesDirect({ NO_PROXY: list }, url(address))).toBe(direct)
  expect(goesDirect({ no_proxy: list }, url(address))).toBe(direct)
})

test('the settings come before the environment, and that before the system', async () => {
  const pac = async () => 'PROXY system.corp:3128'
  const env = { HTTPS_PROXY: 'http://env.corp:3128' }
  expect(await networkWith(env, { proxy: 'http://own.corp:8080' }, pac).shown('https://x.org')).toBe(
    'own.corp:8080 by Settings → Network',
  )
  expect(await networkWith(env, {}, pac).shown('https://x.org')).toBe('env.corp:3128 by HTTPS_PROXY')
  expect(await networkWith({}, {}, pac).shown('https://x.org')).toBe("system.corp:3128 by the system's proxy settings")
  expect(await networkWith(env, { proxy: 'none' }, pac).shown('https://x.org')).toBeNull()
  expect(await networkWith({ NO_PROXY: 'x.org' }, {}, pac).shown('https://x.org')).toBeNull()
  expect(await networkWith({}, {}, pac).shown('http://127.0.0.1:11434')).toBeNull()
})

test('a PAC script is told the origin alone, once in a while, and a broken one is no obstacle', async () => {
  const asked: string[] = []
  const { shown } = networkWith({}, {}, async (address) => {
    asked.push(address)
    return 'DIRECT'
  })
  await shown('https://x.org/path?key=secret')
  await shown('https://x.org/other')
  expect(asked).toEqual(['https://x.org/'])
  expect(await networkWith({}, {}, () => Promise.reject(new Error('no'))).shown('https://x.org')).toBeNull()
})

test('a name and a password of the settings go to a proxy that has none in its address', async () => {
  const { network, hidden } = networkWith(
    { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://other:secret%21@p:1' },
    { proxyUser: 'me', proxyPassword: 'word of mine' },
  )
  expect(await network.proxyFor(url('https://x.org'))).toMatchObject({ user: 'me', password: 'word of mine' })
  expect(await network.proxyFor(url('http://x.org'))).toMatchObject({ user: 'other', password: 'secret!' })
  expect(hidden).toEqual(expect.arrayContaining(['word of mine', 'secret!', btoa('me:word of mine')]))
})

test('what names a proxy but cannot be used is an error, and nothing goes past it', async () => {
  let reached = 0
  const server = createServer((_request, response) => {
    reached++
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const pac = async () => 'DIRECT'
  for (const [env, settings, named] of [
    [{ HTTP_PROXY: 'http://me:12#secret@proxy.corp:3128' }, {}, 'The variable HTTP_PROXY'],
    [{ all_proxy: 'gopher://secret' }, {}, 'The variable all_proxy'],
    [{}, { proxy: 'http://secret:99999' }, 'Settings → Network'],
  ] as const) {
    const { network } = networkWith({ ...env, NO_PROXY: '<-loopback>' }, settings, pac)
    const error = await network.fetch(page).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'proxy', hint: expect.stringContaining('%23 for #') })
    expect(`${error}`).toContain(named)
    const tested = await network.test(url(page))
    expect(tested).toEqual({ ok: false, message: expect.stringContaining(named) })
    expect(JSON.stringify([error, `${error}`, tested])).not.toContain('secret')
    const away = exchange(page, { headers: {}, signal: new AbortController().signal, network })
    await expect(away).rejects.toThrow(named)
    await network.close()
  }
  expect(reached).toBe(0)
  server.close()
  const { network } = networkWith({ HTTPS_PROXY: 'http://me:1/2@p:1', NO_PROXY: 'fine.org' })
  expect(await network.status()).toMatchObject({ proxy: '', trouble: expect.stringContaining('HTTPS_PROXY') })
  expect(await network.proxyFor(url('https://fine.org/'))).toBeNull()
})

test('a password is hidden as the variable writes it, also in one that is not used or cannot be', () => {
  const { hidden } = networkWith({
    HTTP_PROXY: 'http://other:secret%21@p:1',
    http_proxy: 'me:low%2acase@p:1',
    HTTPS_PROXY: 'http://me:se#cr@et@p:1',
    ALL_PROXY: 'socks5://p:1080',
  })
  expect(hidden).toEqual(expect.arrayContaining(['secret%21', 'low%2acase', 'se#cr@et']))
  expect(hidden).toHaveLength(3)
})
