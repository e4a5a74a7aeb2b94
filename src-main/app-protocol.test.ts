import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { appOrigin, serveFrom } from './app-protocol'

const base = mkdtempSync(join(tmpdir(), 'deckhand-protocol-'))
const root = join(base, 'renderer')
mkdirSync(join(root, 'assets'), { recursive: true })
writeFileSync(join(root, 'index.html'), '<p>hello</p>')
writeFileSync(join(root, 'assets', 'app.js'), 'export {}')
writeFileSync(join(root, 'secret.key'), 'no')
writeFileSync(join(base, 'outside.html'), 'no')
afterAll(() => rmSync(base, { recursive: true }))

const get = (path: string, method = 'GET') => serveFrom(root)(new Request(`${appOrigin}${path}`, { method }))

it('serves the window its files under a policy that lets nothing else in', async () => {
  const page = await get('/')
  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    '<p>hello</p>',
  ])
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe-eval')
  expect((await get('/assets/app.js')).status).toBe(200)
})

it.each([
  '/../outside.html',
  '/%2e%2e/outside.html',
  '/..%2foutside.html',
  '/assets/..%2f..%2foutside.html',
  '/missing.js',
  '/secret.key',
  '/assets',
  '/%00.html',
])('finds nothing at %s', async (path) => {
  expect((await get(path)).status).toBe(404)
})

it('answers reads only, and only for its own host', async () => {
  expect((await get('/', 'POST')).status).toBe(404)
  expect((await serveFrom(root)(new Request('deckhand://other/'))).status).toBe(404)
})

it('survives an address that is not valid', async () => {
  expect((await get('/%E0%A4%A')).status).toBe(404)
})
