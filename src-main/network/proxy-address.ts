/** A proxy, and who named it. */
export interface ProxyAddress {
  scheme: 'http' | 'https' | 'socks5'
  host: string
  port: number
  user?: string
  password?: string
  /** In words for an error: `HTTPS_PROXY`, `the system's settings`. */
  from: string
}

/** Without the password, for everything that is shown. */
export const shownProxy = ({ scheme, host, port }: ProxyAddress): string =>
  `${scheme === 'http' ? '' : `${scheme}://`}${host.includes(':') ? `[${host}]` : host}:${port}`

/** One that does the same for the same user. */
export const sameProxy = (one: ProxyAddress, other: ProxyAddress): boolean =>
  shownProxy(one) === shownProxy(other) && one.user === other.user && one.password === other.password

/** Whether a proxy takes the request itself: one that is not encrypted, by a plain HTTP proxy. All else is tunnelled. */
export const takesRequest = (proxy: ProxyAddress, url: URL): boolean =>
  proxy.scheme === 'http' && url.protocol === 'http:'

export const proxyAuthorization = ({ user, password }: ProxyAddress): string | undefined =>
  user === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`

const schemes = new Map<string, { scheme: ProxyAddress['scheme']; port: number }>([
  ['http:', { scheme: 'http', port: 80 }],
  ['https:', { scheme: 'https', port: 443 }],
  ['socks:', { scheme: 'socks5', port: 1080 }],
  ['socks5:', { scheme: 'socks5', port: 1080 }],
  ['socks5h:', { scheme: 'socks5', port: 1080 }],
])

/** Reads `http://user:password@host:port`, also without `http://`; null if it is not the address of a proxy. */
export function parseProxy(text: string, from: string): ProxyAddress | null {
  const given = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9]*:\/\//i.test(given) ? given : `http://${given}`)
  const known = url && schemes.get(url.protocol)
  if (!url || !known || url.hostname === '') return null
  // A password with a `#` or a `/` that is not percent-encoded: the user would be taken for the host, and shown with a part
  // of the password as the port.
  if (`${url.pathname}${url.search}${url.hash}`.includes('@')) return null
  // A port that is the scheme's own is not kept in a URL.
  const port = url.port === '' ? known.port : Number(url.port)
  return {
    scheme: known.scheme,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    ...(url.username !== '' && { user: decoded(url.username), password: decoded(url.password) }),
    from,
  }
}

/** The password of such a text before anything is decoded; none if there is none. */
export const writtenPassword = (text: string): string[] => {
  const [, password] = /^\s*(?:[a-z][a-z0-9]*:\/\/)?[^:@]*:(.+)@/is.exec(text) ?? []
  return password === undefined ? [] : [password]
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign: it was not written for a URL.
    return text
  }
}

/**
 * What the system or its PAC script answers, such as `PROXY proxy.corp:3128; DIRECT`: the first entry that we can use.
 * Null for a direct connection.
 */
export function parsePacAnswer(answer: string): ProxyAddress | null {
  const from = "the system's proxy settings"
  for (const entry of answer.split(';')) {
    const [kind = '', address = ''] = entry.trim().split(/\s+/)
    const scheme = pacKinds.get(kind.toUpperCase())
    if (kind.toUpperCase() === 'DIRECT') return null
    const proxy = scheme && parseProxy(`${scheme}://${address}`, from)
    if (proxy) return proxy
  }
  return null
}

const pacKinds = new Map([
  ['PROXY', 'http'],
  ['HTTP', 'http'],
  ['HTTPS', 'https'],
  ['SOCKS', 'socks5'],
  ['SOCKS5', 'socks5'],
])
