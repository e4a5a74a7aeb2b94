import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWeb, type Web } from '../src-main/web/web'
import { clawft, failure, schemaOf } from './clawft'
import { decides, openBench } from './harness'

let server: Server
let base = ''
let endpoint = ''
let allowLocal = true
const requests: { method: string; url: string; headers: Record<string, unknown> }[] = []
const web: Web = createWeb({ allowLocal: () => allowLocal, searchEndpoint: () => endpoint })
const bench = openBench(clawft({ web }))
const kind = async (tool: string, args: unknown) => (await failure(bench, tool, args)).kind

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = request.url ?? ''
    requests.push({ method: request.method ?? '', url, headers: request.headers })
    if (url.startsWith('/search')) {
      const results = Array.from({ length: 10 }, (_, n) => ({
        title: `Result ${n}`,
        url: `https://r.example/${n}`,
        extra: n,
      }))
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
    }
    if (url === '/large') return void response.end('x'.repeat(1_500_000))
    if (url === '/exact') return void response.end('x'.repeat(1_048_576))
    if (url === '/missing') return void response.writeHead(404, { 'content-type': 'text/plain' }).end('not here')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!DOCTYPE html><p>ünïcode</p>')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await web.close()
  server.closeAllConnections()
  server.close()
})

describe('web_search', () => {
  it('S4-WebSearch-01 has its name', () => expect(bench.definition('web_search')).toBeDefined())
  it('S4-WebSearch-02 needs a query', async () => {
    expect(schemaOf(bench, 'web_search').required).toEqual(['query'])
    expect(await kind('web_search', {})).toBe('InvalidArgs')
  })
  decides(
    'S4-WebSearch-06 S4-WebSearch-07 S4-WebSearch-08 S4-WebSearch-09',
    'says that it is not configured, as an ordinary result',
    async () => {
      endpoint = ''
      expect(await bench.ok('web_search', { query: 'rust async patterns' })).toEqual({
        error: 'web search not configured',
        message: "No search API endpoint is configured. Set 'tools.web_search.endpoint' in your config.",
        query: 'rust async patterns',
      })
    },
  )
  decides('S4-WebSearch-03 S4-WebSearch-04 S4-WebSearch-05', 'asks the configured service for five', async () => {
    endpoint = `${base}/search`
    const found = await bench.ok('web_search', { query: 'a & b' })
    expect(found).toMatchObject({ query: 'a & b', results: [{ title: 'Result 0', extra: 0 }, {}, {}, {}, {}] })
    expect(new URL(requests.at(-1)?.url ?? '', base).searchParams.get('q')).toBe('a & b')
    expect((await bench.ok('web_search', { query: 'x', num_results: 3 })).results).toHaveLength(3)
  })
})

describe('web_fetch', () => {
  it('S4-WebFetch-01 has its name', () => expect(bench.definition('web_fetch')).toBeDefined())
  it('S4-WebFetch-02 needs an address', async () => {
    expect(schemaOf(bench, 'web_fetch').required).toEqual(['url'])
    expect(await kind('web_fetch', {})).toBe('InvalidArgs')
  })
  it('S4-WebFetch-03 uses GET unless told otherwise', async () => {
    await bench.ok('web_fetch', { url: `${base}/a` })
    expect(requests.at(-1)?.method).toBe('GET')
    await bench.ok('web_fetch', { url: `${base}/a`, method: 'DELETE' })
    expect(requests.at(-1)?.method).toBe('DELETE')
  })
  it('S4-WebFetch-04 sends the headers', async () => {
    await bench.ok('web_fetch', { url: `${base}/a`, headers: { Accept: 'application/json', 'X-Own': 'yes' } })
    expect(requests.at(-1)?.headers).toMatchObject({ accept: 'application/json', 'x-own': 'yes' })
    expect(await kind('web_fetch', { url: `${base}/a`, headers: { X: 'a\r\nY: b' } })).toBe('InvalidArgs')
  })
  decides(
    'S4-WebFetch-05 S4-WebFetch-06 S4-WebFetch-07 S4-WebFetch-08 S4-WebFetch-09',
    'answers with all of it',
    async () => {
      const body = '<!DOCTYPE html><p>ünïcode</p>'
      const url = `${base}/page`
      expect(await bench.ok('web_fetch', { url })).toEqual({
        status: 200,
        content_type: 'text/html; charset=utf-8',
        body,
        url,
        bytes: Buffer.byteLength(body),
      })
      expect(await bench.ok('web_fetch', { url: `${base}/missing` })).toMatchObject({ status: 404, body: 'not here' })
    },
  )
  decides('S4-WebFetch-10 S4-WebFetch-11 S4-Sec-08', 'stops at 1 MiB and says so', async () => {
    const large = await bench.ok('web_fetch', { url: `${base}/large` })
    expect(large.bytes).toBe(1_500_000)
    expect(String(large.body)).toBe(`${'x'.repeat(1_048_576)}\n[... truncated at 1048576 bytes]`)
    const exact = await bench.ok('web_fetch', { url: `${base}/exact` })
    expect(String(exact.body)).toBe('x'.repeat(1_048_576))
  })
  it('S4-WebFetch-12 takes http:// and https://', async () => {
    expect(await bench.ok('web_fetch', { url: `${base}/a` })).toMatchObject({ status: 200 })
    // Nobody speaks TLS there: it was tried, and failed on the way.
    expect(await kind('web_fetch', { url: base.replace('http', 'https') })).toBe('ExecutionFailed')
  })
  it('S4-WebFetch-13 takes no other scheme', async () => {
    for (const url of ['ftp://a.example/', 'file:///etc/passwd', 'data:text/plain,x', 'gopher://x', 'a.example', ''])
      expect(await kind('web_fetch', { url })).toBe('InvalidArgs')
  })
  it('refuses local addresses unless they are allowed', async () => {
    allowLocal = false
    const before = requests.length
    expect(await kind('web_fetch', { url: `${base}/a` })).toBe('PermissionDenied')
    expect(requests.length).toBe(before)
    allowLocal = true
  })
})
