import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

/** The window's files are served from a scheme of our own, so that no page ever has the powers of `file://`. */
export const appScheme = 'deckhand'
export const appOrigin = `${appScheme}://app`

/** Nothing but our own scripts runs, and the page can reach no network at all: everything goes through the bridge. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'none'",
  "worker-src 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const mimeTypes = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
  ['.json', 'application/json'],
])

/** Answers a request for one of the window's files; anything outside `root` is not found. */
export const serveFrom =
  (root: string) =>
  async (request: Request): Promise<Response> => {
    const file = locate(root, request)
    if (!file) return notFound()
    try {
      return new Response(await readFile(file.path), {
        headers: {
          'content-type': file.type,
          'content-security-policy': contentSecurityPolicy,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        },
      })
    } catch {
      return notFound()
    }
  }

function locate(root: string, request: Request): { path: string; type: string } | undefined {
  const url = new URL(request.url)
  if (url.host !== 'app' || request.method !== 'GET') return undefined
  const path = normalize(join(root, decode(url.pathname === '/' ? '/index.html' : url.pathname)))
  const type = mimeTypes.get(extname(path))
  return type && path.startsWith(root + sep) ? { path, type } : undefined
}

/** Empty for what is no valid escape, which then names no file. */
const decode = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

const notFound = () => new Response('Not found', { status: 404 })
