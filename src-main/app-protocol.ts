import { extname, join, normalize, sep } from 'node:path'

/** The window's files are served from a scheme of our own, so that no page ever has the powers of `file://`. */
export const appScheme = 'deckhand'
export const appOrigin = `${appScheme}://app`
/** A page of its own for what draws diagrams; it is never shown. */
export const diagramPage = '/diagram/index.html'

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

interface ServedFile {
  path: string
  headers: Record<string, string>
}

/** The file of the window that a request is for; null for anything else, and for all that is outside `root`. */
export function fileFor(root: string, request: { url: string; method: string }): ServedFile | null {
  const url = new URL(request.url)
  if (url.host !== 'app' || request.method !== 'GET') return null
  const path = normalize(join(root, decode(url.pathname === '/' ? '/index.html' : url.pathname)))
  const type = mimeTypes.get(extname(path))
  if (!type || path.includes('\0') || !path.startsWith(root + sep)) return null
  const headers = {
    'content-type': type,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
  return { path, headers }
}

/** Empty for what is no valid escape, which then names no file. */
const decode = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
