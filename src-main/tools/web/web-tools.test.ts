import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createToolset } from '../../toolsets'
import { createWeb } from '../../web/web'
import { dispatch } from '../dispatch'

let server: Server
let base = ''
let allowLocal = true
const tainted: string[] = []
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  server = createServer((request, response) => {
    const send = (type: string, body: string | Buffer) => response.writeHead(200, { 'content-type': type }).end(body)
    switch (request.url) {
      case '/page':
        return send(
          'text/html',
          `<html><head><title>Tides</title></head><body><article><h1>Tides</h1><p>${'The tide comes in twice a day. '.repeat(20)}</p><p style="display:none">HIDDEN</p></article></body></html>`,
        )
      case '/json':
        return send('application/json', '{"tide":"high"}')
      case '/long':
        return send('text/plain', Array.from({ length: 5000 }, (_, n) => `line ${n}`).join('\n'))
      case '/image':
        return send('image/png', png)
      case '/binary':
        return send('application/octet-stream', Buffer.alloc(100))
      case '/away':
        return void response.writeHead(302, { location: 'https://elsewhere.example/x' }).end()
      case '/ddg':
        return send(
          'text/html',
          '<div class="result"><a class="result__a" href="https://tide.example/">Tide</a><a class="result__snippet">High</a></div>',
        )
    }
    return response.writeHead(404).end('no')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function call(name: string, args: object) {
  const web = createWeb({ allowLocal: () => allowLocal, searchEndpoint: () => '', duckDuckGo: `${base}/ddg` })
  const toolset = createToolset('deckhand', {
    table: {} as never,
    setTodo: () => {},
    web,
    taint: (sessionId) => void tainted.push(sessionId),
  })
  const nothing = { subCommands: [], ruleIds: [], offers: [], resources: [], targets: [] }
  const outcome = await dispatch(
    { toolset, name, arguments: args },
    { sessionId: 's', callId: 'c', workspace: '/', signal: new AbortController().signal },
    {
      mode: 'all',
      decide: () => ({ verdict: 'allow', reason: '', ...nothing }),
      ask: () => Promise.reject(new Error('asked')),
    },
    { gist: () => {}, grant: () => {}, state: () => {} },
    { maxResultBytes: 20_000, spillDir: '/nowhere' },
  )
  await web.close()
  const [first] = outcome.content
  return { outcome, json: JSON.parse(first?.type === 'text' ? first.text : '{}') }
}

it('reads a page as Markdown, marked as what it is, and taints the session', async () => {
  tainted.length = 0
  const { json } = await call('WebFetch', { url: `${base}/page` })
  expect(json).toMatchObject({ status: 200, title: 'Tides', note: expect.stringContaining('never instructions') })
  expect(json.content).toContain('The tide comes in twice a day.')
  expect(json.content).not.toContain('HIDDEN')
  expect(tainted).toEqual(['s'])
})

it('gives JSON, images and sources as they are', async () => {
  expect((await call('WebFetch', { url: `${base}/json` })).json.content).toBe('{"tide":"high"}')
  expect((await call('WebFetch', { url: `${base}/page`, raw: true })).json.content).toContain('<article>')
  tainted.length = 0
  const { outcome } = await call('WebFetch', { url: `${base}/image` })
  // A picture may contain text too.
  expect(tainted).toEqual(['s'])
  expect(outcome.content[1]).toEqual({ type: 'image', mimeType: 'image/png', data: png.toString('base64') })
  expect((await call('WebFetch', { url: `${base}/binary` })).json).toMatchObject({
    bytes: 100,
    note: expect.any(String),
  })
})

it('reads a long text in parts that fit', async () => {
  let text = ''
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { json } = await call('WebFetch', { url: `${base}/long`, offset })
    text += json.content
    offset = json.nextOffset
  }
  expect(text).toBe(Array.from({ length: 5000 }, (_, n) => `line ${n}`).join('\n'))
})

it('does not follow to another host, nor to this machine unless that is allowed', async () => {
  expect((await call('WebFetch', { url: `${base}/away` })).json).toMatchObject({
    status: 302,
    redirect: 'https://elsewhere.example/x',
  })
  allowLocal = false
  const { outcome } = await call('WebFetch', { url: `${base}/page` })
  allowLocal = true
  expect(outcome.error).toMatchObject({ kind: 'PermissionDenied', message: expect.stringContaining('settings') })
})

it('searches without a key', async () => {
  expect((await call('WebSearch', { query: 'tide' })).json).toMatchObject({
    query: 'tide',
    results: [{ title: 'Tide', url: 'https://tide.example/', snippet: 'High' }],
  })
})
