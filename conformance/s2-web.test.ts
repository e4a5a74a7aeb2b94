import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createWeb } from '../src-main/web/web'
import { buddy, requiredOf } from './buddy'
import { decides, openBench } from './harness'
import { refused, told } from './miclaw'

let allowLocal = true
let found = 12
let settings: object = {}
const requests: { method: string; url: string; body: string; headers: IncomingMessage['headers'] }[] = []
const bodies = new Map([
  ['/data', '{"ok":true}\n'],
  ['/long', '水'.repeat(20_000)],
  ['/exact', 'x'.repeat(8000)],
])

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { method = '', url = '', headers } = request
  requests.push({ method, url, body, headers })
  const page = url === '/html/' ? resultPage(found) : bodies.get(url)
  const contentType = url === '/html/' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': contentType }).end(page ?? 'not here')
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const web = createWeb({ allowLocal: () => allowLocal, searchEndpoint: () => '', duckDuckGo: `${base}/html/` })
const bench = openBench(buddy({ web, toolSettings: () => settings }))
const fetchUrl = (path: string) => told(bench, 'fetch_url', { url: base + path })

/** Without a network: only the names that somebody wants to reach are known. */
const names: string[] = []
const outside = createWeb({
  allowLocal: () => false,
  searchEndpoint: () => '',
  resolve: (name) => {
    names.push(name)
    return Promise.reject(new Error('there is no network here'))
  },
})
const cutOff = openBench(buddy({ web: outside }))

afterAll(async () => {
  await Promise.all([web.close(), outside.close()])
  server.closeAllConnections()
  server.close()
})

/** A page of results as DuckDuckGo's HTML endpoint gives it. */
function resultPage(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => {
    const target = encodeURIComponent(`https://site${n + 1}.example/page?a=1&b=2`)
    return `<div class="result results_links web-result"><h2 class="result__title">
      <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=${target}&amp;rut=x">Title <b>${n + 1}</b> &amp; more</a></h2>
      <a class="result__snippet" href="#">About <b>site</b>
      ${n + 1}.</a></div>`
  })
  return rows.join('\n')
}

describe('fetch_url', () => {
  it('S2-Fetch-01 has its name', () => expect(bench.definition('fetch_url')).toBeDefined())
  it('S2-Fetch-02 needs an address', async () => {
    expect(requiredOf(bench, 'fetch_url')).toEqual(['url'])
    expect(await refused(bench, 'fetch_url', {})).toBe('Tool error: invalid arguments: `url` is required')
    for (const url of ['ftp://a.example/', 'file:///etc/passwd', 'a.example', ''])
      expect(await refused(bench, 'fetch_url', { url })).toMatch(/^Tool error: invalid arguments: /)
  })
  it('S2-Fetch-03 performs a GET', async () => {
    await fetchUrl('/data')
    expect(requests.at(-1)).toMatchObject({ method: 'GET', url: '/data', body: '' })
  })
  it('S2-Fetch-04 returns the body', async () => {
    expect(await fetchUrl('/data')).toBe('{"ok":true}\n')
    // An error's page would pass for the one that was asked for.
    expect(await fetchUrl('/absent')).toBe('[HTTP status 404]\nnot here')
  })
  it('S2-Fetch-05 sends no credentials', async () => {
    expect(bench.definition('fetch_url')?.parameters.properties).toEqual({ url: expect.any(Object) })
    await fetchUrl('/data')
    expect(Object.keys(requests.at(-1)?.headers ?? {})).not.toContain('authorization')
    const before = requests.length
    const url = base.replace('http://', 'http://me:secret@')
    expect(await refused(bench, 'fetch_url', { url })).toMatch(/^Tool error: /)
    expect(requests.length).toBe(before)
  })
  it('S2-Fetch-06 keeps the first 8000 characters', async () => {
    expect(await fetchUrl('/long')).toBe(`${'水'.repeat(8000)}...[truncated]`)
    expect(await fetchUrl('/exact')).toBe('x'.repeat(8000))
  })
  it('stays away from local addresses, and from hosts that the settings name', async () => {
    allowLocal = false
    expect(await refused(bench, 'fetch_url', { url: `${base}/data` })).toMatch(/^Tool error: execution failed: /)
    allowLocal = true
    const url = 'http://a.b.example/'
    for (const tools of [{ fetch_blocked_domains: ['B.example'] }, { fetch_allowed_domains: ['c.example'] }]) {
      settings = tools
      expect(await refused(bench, 'fetch_url', { url })).toContain('settings do not allow')
    }
    settings = { fetch_allowed_domains: ['127.0.0.1'] }
    expect(await fetchUrl('/data')).toBe('{"ok":true}\n')
    settings = {}
  })
})

describe('web_search', () => {
  const search = () => told(bench, 'web_search', { query: 'rust tokio & co' })

  it('S2-Search-01 has its name', () => expect(bench.definition('web_search')).toBeDefined())
  it('S2-Search-02 needs a query', async () => {
    expect(requiredOf(bench, 'web_search')).toEqual(['query'])
    expect(await refused(bench, 'web_search', {})).toBe('Tool error: invalid arguments: `query` is required')
  })
  it('S2-Search-03 asks the HTML endpoint of DuckDuckGo', async () => {
    await search()
    expect(new URLSearchParams(requests.at(-1)?.body).get('q')).toBe('rust tokio & co')
    expect(await refused(cutOff, 'web_search', { query: 'anything' })).toContain('html.duckduckgo.com')
    expect(names).toEqual(['html.duckduckgo.com'])
  })
  it('S2-Search-04 needs no key', async () => {
    await search()
    const { headers, body } = requests.at(-1) ?? { headers: {}, body: '' }
    expect(Object.keys(headers).filter((name) => /auth|key|token|cookie/.test(name))).toEqual([])
    expect([...new URLSearchParams(body).keys()]).toEqual(['q'])
  })
  it('S2-Search-05 returns 8 results at most', async () => {
    expect((await search()).match(/^\d+\. /gm)).toHaveLength(8)
    found = 0
    expect(await search()).toBe('No results found.')
  })
  decides(
    'S2-Search-06 S2-Search-07 S2-Search-08 S2-Search-09',
    'a number and the title, then address and snippet three spaces in, and a blank line between results',
    async () => {
      found = 2
      expect(await search()).toBe(
        [
          '1. Title 1 & more',
          '   https://site1.example/page?a=1&b=2',
          '   About site 1.',
          '',
          '2. Title 2 & more',
          '   https://site2.example/page?a=1&b=2',
          '   About site 2.',
        ].join('\n'),
      )
    },
  )
})
