import type { ClientRequestArgs } from 'node:http'
import type { Dispatcher } from 'undici'
import type { createAgents } from './agents'
import { createCertificates } from './certificates'
import type { createDispatchers } from './dispatchers'
import { type ProxyAddress, shownProxy, takesRequest } from './proxy-address'
import { createProxyChoice } from './proxy-choice'
import {
  answerOfProxy,
  certificateTrouble,
  codeOf,
  hasUnknownIssuer,
  refusedByEither,
  troubleIn,
  whenProxyIsGone,
} from './trouble'

/** The one place that decides how a request goes out, and whom it trusts. */
export interface Network {
  /** The proxy on the way to an address; null for a direct connection. Throws if what names one cannot be used. */
  proxyFor(url: URL): ProxyAddress | null | Promise<ProxyAddress | null>
  /**
   * Makes an attempt, and once more if it failed because of a certificate that turns out to be known to the system. What
   * fails because of the proxy or a certificate is thrown as a `NetworkTrouble`.
   */
  attempt<Result>(host: string, work: () => Promise<Result>): Promise<Result>
  /** What a request of Node's client needs on top, to go through a proxy; null for a direct connection. */
  requestOptions(url: URL): Promise<Proxied | null> | null
  /** The standard `fetch`, by these rules. */
  readonly fetch: typeof fetch
  /** For a `fetch` of one's own: the way through this proxy, to an address that may be reached. */
  dispatcherFor(proxy: ProxyAddress | null, url: URL): Promise<Dispatcher>
  /** How a request to a public address would go out now, for the user. */
  status(): Promise<{ proxy: string; hasPassword: boolean; trouble?: string }>
  /** Tries to reach an address, and says in a sentence how that went. */
  test(url: URL): Promise<{ ok: boolean; message: string }>
  close(): Promise<void>
}

export interface NetworkSettings {
  /** Empty: as the environment or else the system says. `none`: no proxy. Otherwise the address of one. */
  proxy: string
  /** For the proxy, whoever named it; a name in its own address comes first. */
  proxyUser: string
  proxyPassword: string | null
  /** A file with further authorities; empty for none. */
  certificateFile: string
}

export interface Proxied {
  proxy: ProxyAddress
  options: ClientRequestArgs
  /** Whether the proxy takes the request itself, and so may answer it itself. */
  takesRequest: boolean
}

export interface NetworkOptions {
  env: Readonly<Record<string, string | undefined>>
  settings(): NetworkSettings
  /** What the system and its PAC script say about an address, in the words of a PAC script. Absent without a window. */
  systemProxy?(url: string): Promise<string>
  /** Called with every password before it is used, so that logs leave it out. */
  onSecret(secret: string): void
  warn(message: string, fields?: Record<string, unknown>): void
  /** How long `test` waits. */
  testMs?: number
}

const usualTestMs = 20_000
/** What a proxy answers where it does not pass a request on. */
const refusals = new Set([403, 502, 503, 504])

export function createNetwork(options: NetworkOptions): Network {
  const { env, settings } = options
  const certificates = createCertificates({ files: () => certificateFiles(env, settings()) })
  let agents: ReturnType<typeof createAgents> | null = null
  let dispatchers: ReturnType<typeof createDispatchers> | null = null

  const proxyFor = createProxyChoice(options)

  const attempt: Network['attempt'] = async (host, work) => {
    const before = certificates.version
    try {
      return await work()
    } catch (error) {
      // Of the server, or of a proxy that is spoken to by TLS.
      if (hasUnknownIssuer(error)) {
        certificates.addMore()
        if (certificates.version !== before)
          return work().catch((again: unknown) => {
            throw troubleIn(again) ?? certificateTrouble(again, host, certificates.note) ?? again
          })
      }
      throw troubleIn(error) ?? certificateTrouble(error, host, certificates.note) ?? error
    }
  }

  const through = async (proxy: ProxyAddress | null, url: URL): Promise<Proxied | null> => {
    if (!proxy) return null
    // Loaded on first use: most networks have no proxy, and this loads all of node:http.
    agents ??= (await import('./agents')).createAgents()
    return { proxy, options: agents.optionsFor(proxy, url), takesRequest: takesRequest(proxy, url) }
  }

  const dispatcherFor: Network['dispatcherFor'] = async (proxy, url) => {
    dispatchers ??= (await import('./dispatchers')).createDispatchers()
    return dispatchers.for(proxy, url)
  }

  const networkFetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const proxy = await proxyFor(url)
    const [{ fetch: fetchBy }, dispatcher] = await Promise.all([import('undici'), dispatcherFor(proxy, url)])
    return attempt(url.host, async () => {
      const sent = fetchBy(input as never, { ...init, dispatcher } as never) as unknown as Promise<Response>
      if (!proxy || !takesRequest(proxy, url)) return sent
      const response = await sent.catch((error: unknown) => {
        throw whenProxyIsGone(error, proxy)
      })
      const refusal = answerOfProxy(proxy, url.host, response.status, (name) => response.headers.get(name))
      if (!refusal) return response
      await response.body?.cancel()
      throw refusal
    })
  }

  return {
    proxyFor,
    attempt,
    requestOptions: (url) => {
      const proxy = proxyFor(url)
      if (proxy === null) return null
      return proxy instanceof Promise ? proxy.then((found) => through(found, url)) : through(proxy, url)
    },
    fetch: networkFetch,
    dispatcherFor,
    status: async () => {
      const hasPassword = settings().proxyPassword !== null
      try {
        const proxy = await proxyFor(new URL('https://example.com/'))
        return { proxy: proxy ? `${shownProxy(proxy)}, from ${proxy.from}` : '', hasPassword }
      } catch (error) {
        const trouble = troubleIn(error)
        if (!trouble) throw error
        return { proxy: '', hasPassword, trouble: `${trouble.message} ${trouble.hint}` }
      }
    },
    test: async (url) => {
      let proxy: ProxyAddress | null = null
      try {
        proxy = await proxyFor(url)
        const response = await networkFetch(url, {
          method: 'HEAD',
          redirect: 'manual',
          signal: AbortSignal.timeout(options.testMs ?? usualTestMs),
        })
        if (proxy && takesRequest(proxy, url) && refusals.has(response.status))
          throw refusedByEither(proxy, url.host, response.status)
        const by = proxy ? `through the proxy ${shownProxy(proxy)}` : 'directly'
        return { ok: true, message: `${url.host} was reached ${by} (HTTP ${response.status}).` }
      } catch (error) {
        const trouble = troubleIn(error)
        if (trouble) return { ok: false, message: `${trouble.message} ${trouble.hint}` }
        const code = codeOf(error)
        const late = error instanceof Error && error.name === 'TimeoutError' ? ' in time' : ''
        const by = proxy ? ` through the proxy ${shownProxy(proxy)}, which is named by ${proxy.from}` : ''
        return { ok: false, message: `${url.host} could not be reached${late}${by}${code && ` (${code})`}.` }
      }
    },
    close: async () => {
      agents?.close()
      await dispatchers?.close()
    },
  }
}

const certificateFiles = (
  env: NetworkOptions['env'],
  { certificateFile }: NetworkSettings,
): ReturnType<Parameters<typeof createCertificates>[0]['files']> => [
  // Read here as well, since a packaged app does not let Node read it.
  ...(env.NODE_EXTRA_CA_CERTS ? [{ path: env.NODE_EXTRA_CA_CERTS, from: 'NODE_EXTRA_CA_CERTS' }] : []),
  ...(certificateFile ? [{ path: certificateFile, from: 'Settings → Network' }] : []),
]
