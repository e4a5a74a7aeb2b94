import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appOrigin, fileFor } from './app-protocol'

const root = join('/app', 'renderer')
const get = (path: string, method = 'GET') => fileFor(root, { url: `${appOrigin}${path}`, method })

it('serves the window its files under a policy that lets nothing else in', () => {
  const page = get('/')
  expect([page?.path, page?.headers['content-type']]).toEqual([join(root, 'index.html'), 'text/html; charset=utf-8'])
  const policy = page?.headers['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe-eval')
  expect(get('/assets/app.js')?.path).toBe(join(root, 'assets', 'app.js'))
})

it.each(['/..%2foutside.html', '/assets/..%2f..%2foutside.html', '/secret.key', '/assets', '/%00.html'])(
  'finds nothing at %s',
  (path) => {
    expect(get(path)).toBeNull()
  },
)

it.each(['/../outside.html', '/%2e%2e/outside.html'])('does not step out at %s', (path) => {
  expect(get(path)?.path).toBe(join(root, 'outside.html'))
})

it('answers reads only, and only for its own host', () => {
  expect(get('/', 'POST')).toBeNull()
  expect(fileFor(root, { url: 'deckhand://other/', method: 'GET' })).toBeNull()
})

it('survives an address that is not valid', () => {
  expect(get('/%E0%A4%A')).toBeNull()
})
