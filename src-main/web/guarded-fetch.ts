import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import type { Network } from '../network/network'
import { type ProxyAddress, sameProxy } from '../network/proxy-address'
import { troubleIn } from '../network/trouble'
import { addressTrouble, hostTrouble } from './addresses'
import { WebError } from './errors'

interface FetchRequest {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Bytes of the decompressed body to keep; the rest is only counted. */
  keepBytes: number
  timeoutMs?: number
  signal?: AbortSignal
  /** The user configured this exact address, so it may be on the local network. */
  trusted?: boolean
}

export interface Fetched {
  /** The final URL, after redirects. */
  url: string
  status: number
  contentType: string
  body: Buffer
  /** Size of the body, as far as it was read. */
  bytes: number
  /** True if `body` is complete. */
  whole: boolean
  /** A redirect to another host, which was not followed because it was not asked for. */
  redirect?: string
}

export type Resolve = (hostname: string) => Promise<LookupAddress[]>
export type Fetch = (request: FetchRequest) => Promise<Fetched>

const mostRedirects = 5
const usualTimeoutMs = 30_000
/** Reading stops after this many bytes, as a protection against decompression bombs. */
const mostBytes = 32 * 1024 * 1024
const limits = {
  maxHeaderSize: 32 * 1024,
  headersTimeout: usualTimeoutMs,
  bodyTimeout: usualTimeoutMs,
  keepAliveTimeout: 1,
}
const redirects = new Set([301, 302, 303, 307, 308])
const userAgent = 'Mozilla/5.0 (compatible; Deckhand)'

/**
 * HTTP to the public internet only. Every hop is checked: its scheme, its host in any notation, and every address that
 * its name resolves to when connecting. The connection uses exactly the addresses that were checked. Redirects are
 * followed only on the same host. Behind a proxy the same holds, as `proxied-target` explains.
 */
export function createFetch(options: {
  allowLocal(): boolean
  network?: Network
  resolve?: Resolve
}): Fetch & { close(): Promise<void> } {
  const { network } = options
  const resolveName = options.resolve ?? resolveBySystem
  let agents: Promise<{ fetch: typeof import('undici').fetch; guarded: Agent; open: Agent }> | null = null
  let behindProxy: { proxy: ProxyAddress; agent: Agent } | null = null

  const load = () => {
    agents ??= import('undici').then(({ Agent, fetch }) => {
      return {
        fetch,
        guarded: new Agent({ ...limits, connect: { lookup: checkedLookup(resolveName) as never } }),
        open: new Agent({ ...limits, connect: { lookup: anyLookup(resolveName) as never } }),
      }
    })
    return agents
  }

  /** Through a proxy, to what was checked before. */
  const guardedBehind = async (proxy: ProxyAddress): Promise<Agent> => {
    if (behindProxy && sameProxy(behindProxy.proxy, proxy)) return behindProxy.agent
    const { tunnelDispatcher } = await import('../network/dispatchers')
    const agent = tunnelDispatcher(proxy, { ...limits, target: proxiedTarget(resolveName) })
    void behindProxy?.agent.close()
    behindProxy = { proxy, agent }
    return agent
  }

  const dispatcherTo = async (url: URL, local: boolean): Promise<Dispatcher> => {
    const { guarded, open } = await load()
    const proxy = (await network?.proxyFor(url)) ?? null
    if (!network || !proxy) return local ? open : guarded
    return local ? network.dispatcherFor(proxy, url) : guardedBehind(proxy)
  }

  const fetchGuarded: Fetch = async (request) => {
    const { fetch } = await load()
    const local = request.trusted === true || options.allowLocal()
    const limit = AbortSignal.timeout(request.timeoutMs ?? usualTimeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit
    let url = readUrl(request.url)
    let method = (request.method ?? 'GET').toUpperCase()
    let body = request.body
    try {
      for (let hop = 0; hop <= mostRedirects; hop++) {
        const trouble = local ? null : hostTrouble(url.hostname)
        if (trouble !== null) throw new WebError('refused', `${trouble}, and fetching from there is not allowed`)
        const dispatcher = await dispatcherTo(url, local)
        const init = {
          method,
          redirect: 'manual' as const,
          dispatcher,
          headers: { 'user-agent': userAgent, ...request.headers },
          signal,
          body,
        }
        const asked = url
        const response = await (network ? network.attempt(url.host, () => fetch(asked, init)) : fetch(url, init))
        const location = redirects.has(response.status) ? response.headers.get('location') : null
        const next = location === null ? null : readUrl(location, url)
        if (next === null || !sameHost(url, next)) {
          const kept = await readBody(response.body, request.keepBytes)
          return {
            url: url.href,
            status: response.status,
            contentType: response.headers.get('content-type') ?? '',
            ...kept,
            redirect: next?.href,
          }
        }
        await response.body?.cancel()
        if (response.status === 303 || (method === 'POST' && response.status < 307)) {
          method = 'GET'
          body = undefined
        }
        url = next
      }
      throw new WebError('failed', `there were more than ${mostRedirects} redirects`)
    } catch (error) {
      throw inWords(error, url, limit, request.signal)
    }
  }
  const close = async (): Promise<void> => {
    if (!agents) return
    const { guarded, open } = await agents
    await Promise.all([guarded.destroy(), open.destroy(), behindProxy?.agent.destroy()])
  }
  return Object.assign(fetchGuarded, { close })
}

/** Parses a URL; throws if its form is not allowed. */
export function readUrl(text: string, base?: URL): URL {
  if (base === undefined && !/^https?:\/\/[^\s/\\]/i.test(text)) {
    throw new WebError('invalid', 'the address must start with http:// or https://')
  }
  const url = URL.parse(text, base?.href)
  if (!url || /[\s\\]/.test(text)) throw new WebError('invalid', `${text.slice(0, 200)} is not a valid address`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new WebError('invalid', `only http:// and https:// can be fetched, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '')
    throw new WebError('refused', 'an address with a name or password in it is not fetched')
  url.hash = ''
  return url
}

const sameHost = (from: URL, to: URL): boolean => bare(from.hostname) === bare(to.hostname)
const bare = (host: string): string => host.replace(/^www\./, '')

async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  keepBytes: number,
): Promise<Pick<Fetched, 'body' | 'bytes' | 'whole'>> {
  const kept: Uint8Array[] = []
  let room = keepBytes
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (room > 0) kept.push(chunk.subarray(0, room))
    room -= chunk.length
    // Leaving the loop cancels the stream.
    if (bytes > mostBytes) return { body: Buffer.concat(kept), bytes, whole: false }
  }
  return { body: Buffer.concat(kept), bytes, whole: room >= 0 }
}

const resolveBySystem: Resolve = (hostname) =>
  new Promise((settle, fail) =>
    systemLookup(hostname, { all: true, verbatim: true }, (error, addresses) =>
      error ? fail(error) : settle(addresses),
    ),
  )

const anyLookup = (resolve: Resolve): LookupFunction => lookupWith(resolve, () => null)

/** Refuses if any of the addresses is private, since the connection could use any of them. */
const checkedLookup = (resolve: Resolve): LookupFunction => lookupWith(resolve, addressTrouble)

function lookupWith(resolve: Resolve, troubleWith: (address: string) => string | null): LookupFunction {
  return (hostname, options, answer) => {
    const settle = (addresses: LookupAddress[]): void => {
      const trouble = addresses.map(({ address }) => troubleWith(address)).find((found) => found !== null)
      const [first] = addresses
      if (trouble)
        answer(new WebError('refused', `${hostname} leads to an address that is not allowed: ${trouble}`), '')
      else if (!first) answer(new WebError('failed', `${hostname} has no address`), '')
      else if (options.all) answer(null, addresses)
      else answer(null, first.address, first.family)
    }
    resolve(hostname).then(settle, (error: Error) => answer(error, ''))
  }
}

/** Finds the root cause of an error; one of our own `WebError`s may be wrapped inside. */
function inWords(error: unknown, url: URL, limit: AbortSignal, asked: AbortSignal | undefined): unknown {
  if (asked?.aborted) return asked.reason
  if (limit.aborted) return new WebError('timeout', `${url.host} did not answer in time`)
  let cause = error
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (cause instanceof WebError) return cause
    if (cause.cause === undefined) break
    cause = cause.cause
  }
  const trouble = troubleIn(error)
  if (trouble) return new WebError('failed', `${trouble.message} ${trouble.hint}`)
  const said = cause instanceof Error ? cause.message : String(cause)
  return new WebError('failed', `${url.host} could not be reached: ${said}`)
}

/**
 * What a proxy is asked to connect to for a host on the public internet. The proxy looks names up by itself, and may
 * find another address than we did, inside of its own network. So:
 * - A name that leads to a private address here is refused, as without a proxy.
 * - Over https the proxy is given the name: a server inside cannot show a certificate for it, and nothing is sent before.
 * - Over http nothing would protect what is inside, so the proxy is given the very address that was checked. A name that
 *   cannot be looked up here cannot be fetched without encryption.
 */
const proxiedTarget =
  (resolve: Resolve) =>
  async (host: string, protocol: string): Promise<string> => {
    const refused = hostTrouble(isIP(host) === 6 ? `[${host}]` : host)
    if (refused !== null) throw new WebError('refused', `${refused}, and fetching from there is not allowed`)
    if (isIP(host) !== 0) return host
    const addresses = await resolve(host).catch(() => [])
    const trouble = addresses.map(({ address }) => addressTrouble(address)).find((found) => found !== null)
    if (trouble) throw new WebError('refused', `${host} leads to an address that is not allowed: ${trouble}`)
    if (protocol === 'https:') return host
    const [first] = addresses
    if (first) return first.address
    throw new WebError(
      'refused',
      `only the proxy can look up ${host}, so it cannot be checked where it leads; use https:// instead`,
    )
  }
