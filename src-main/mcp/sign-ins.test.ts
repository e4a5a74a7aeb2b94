import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { standardFetch } from '../web/standard-fetch'
import { createWeb } from '../web/web'
import { type McpBench, openMcpBench, until } from './test-bench'
import { openSignInServer, type SignInServer } from './test-sign-in-server'

let server: SignInServer
let bench: McpBench
let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-sign-in-'))
  server = await openSignInServer()
  bench = openMcpBench({ folder, mcpServers: { guarded: { url: server.url } } })
  await bench.mcp.start()
})
afterEach(async () => {
  await bench.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Follows redirects, as a browser would. */
const browser = async (address: string): Promise<boolean> => (await fetch(address)).ok
const info = () => bench.mcp.view()[0]
const signIn = async (): Promise<void> => {
  await bench.mcp.signIn('guarded', browser)
  await until(() => info()?.state === 'ready')
}
const ask = () =>
  bench.mcp
    .tools()
    .get('guarded__secret')
    ?.call({}, { signal: new AbortController().signal, folder, onProgress: () => {} })

it('says that a sign-in is needed, and does nothing about it by itself', () => {
  expect(info()).toMatchObject({ state: 'sign-in', signIn: 'needed', error: 'It wants you to sign in', tools: [] })
  expect(server.requests).toEqual([])
})

it('signs in by the browser, uses the server, and keeps the tokens with the keys only', async () => {
  await signIn()
  expect(info()).toMatchObject({ state: 'ready', signIn: 'done' })
  expect(await ask()).toMatchObject({ content: [{ text: 'told' }] })
  expect(server.requests).toEqual(['register', 'authorize', 'token authorization_code'])
  const stored = bench.secrets.get('mcp:guarded:oauth') ?? ''
  const { access_token: token, refresh_token: renewal } = JSON.parse(stored).tokens
  expect(
    JSON.stringify([bench.events, bench.saved(), bench.mcp.view(), bench.lines('guarded'), bench.warnings]),
  ).not.toMatch(new RegExp(`${token}|${renewal}`))
})

it('renews a token that has run out, once for all that notice', async () => {
  await signIn()
  server.expire()
  expect(await Promise.all([ask(), ask(), ask()])).toHaveLength(3)
  expect(server.requests.filter((request) => request === 'token refresh_token')).toHaveLength(1)
  expect(info()).toMatchObject({ state: 'ready', signIn: 'done' })
})

it('asks for another sign-in when the old one holds no longer', async () => {
  await signIn()
  server.expire()
  server.revoke()
  await expect(ask()).rejects.toThrow('sign in')
  await until(() => info()?.state === 'sign-in')
  expect(info()).toMatchObject({ signIn: 'expired', tools: [] })
  expect([...bench.secrets]).toEqual([])
  await signIn()
  expect(info()).toMatchObject({ signIn: 'done' })
})

it('is still signed in after a restart, and out after signing out', async () => {
  await signIn()
  const kept = [...bench.secrets]
  await bench.close()
  bench = openMcpBench({ folder, mcpServers: { guarded: { url: server.url } } })
  for (const [name, value] of kept) bench.secrets.set(name, value)
  await bench.mcp.start()
  expect(info()).toMatchObject({ state: 'ready', signIn: 'done' })
  bench.mcp.signOut('guarded')
  await until(() => info()?.state === 'sign-in')
  expect(info()).toMatchObject({ signIn: 'needed' })
  expect([...bench.secrets]).toEqual([])
})

it('takes a token to no other address', async () => {
  await signIn()
  const other = await openSignInServer()
  bench.mcp.save({ id: 'guarded', previousId: 'guarded', config: { url: other.url, enabled: true } })
  await until(() => info()?.state === 'sign-in')
  expect(other.requests).toEqual([])
  await other.close()
})

it('takes no visit that does not belong to the sign-in, and ends when the user gives up or says no', async () => {
  let back = ''
  const trying = bench.mcp.signIn('guarded', (address) => {
    back = new URL(address).searchParams.get('redirect_uri') ?? ''
    return true
  })
  await until(() => back !== '')
  expect(info()).toMatchObject({ signIn: 'waiting' })
  expect((await fetch(`${back}?code=stolen&state=guessed`)).status).toBe(400)
  expect((await fetch(new URL('/other', back))).status).toBe(404)
  bench.mcp.cancelSignIn('guarded')
  expect(await trying).toMatchObject([{ state: 'sign-in' }])
  await expect(fetch(back)).rejects.toThrow()
  expect(info()).toMatchObject({ state: 'sign-in', signIn: 'needed' })

  server.refuse()
  await expect(bench.mcp.signIn('guarded', browser)).rejects.toThrow('The sign-in was refused: access_denied')
  await expect(bench.mcp.signIn('guarded', () => false)).rejects.toThrow('cannot be opened')
})

it.each([
  'a:$(touch owned)?x',
  'javascript://127.0.0.1/%0aalert(1)',
  'file:///etc/passwd',
  'http://sso.example/authorize',
])('sends nobody to %j to sign in', async (address) => {
  server.lead(address)
  const opened: string[] = []
  const open = (to: string): boolean => opened.push(to) > 0
  await expect(bench.mcp.signIn('guarded', open)).rejects.toThrow()
  expect(opened).toEqual([])
})

it('asks nothing of a server whose key is set by hand', async () => {
  bench.mcp.save({
    id: 'keyed',
    config: { url: server.url, headers: { Authorization: 'Bearer wrong' }, enabled: true },
  })
  await until(() => bench.mcp.view()[1]?.error !== undefined)
  expect(bench.mcp.view()[1]).toMatchObject({ state: 'waiting' })
  expect(bench.mcp.view()[1]?.signIn).toBeUndefined()
})

it('sends nothing about a sign-in to addresses that the user did not name and the web tools would not go to', async () => {
  const web = createWeb({ allowLocal: () => false, searchEndpoint: () => '' })
  const go = standardFetch(web.fetch, '127.0.0.1')
  expect((await go(`${new URL(server.url).origin}/.well-known/oauth-authorization-server`)).status).toBe(200)
  await expect(go('http://sso.example/token', { method: 'POST' })).rejects.toThrow('not encrypted')
  await expect(go('https://10.0.0.1/token', { method: 'POST' })).rejects.toThrow('not on the public internet')
  await web.close()
})
