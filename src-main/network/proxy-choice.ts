import { environmentProxy, goesDirect, unusableProxies, writtenPasswords } from './environment'
import type { Network, NetworkOptions } from './network'
import { type ProxyAddress, parsePacAnswer, parseProxy } from './proxy-address'
import { proxyUnusable } from './trouble'

/** How long a PAC script may think. */
const pacMs = 10_000
/** What the system said about a host holds for so long; it keeps watch over changes itself. */
const rememberMs = 5_000

/** Which proxy a request goes through, if any: by the settings, the environment or the system. */
export function createProxyChoice(options: NetworkOptions): Network['proxyFor'] {
  const { env, settings } = options
  const remembered = new Map<string, { at: number; answer: Promise<ProxyAddress | null> }>()
  // A program may repeat a variable as it stands, however that is encoded.
  for (const password of writtenPasswords(env)) options.onSecret(password)
  for (const name of unusableProxies(env)) options.warn(`The variable ${name} is not the address of a proxy`)

  const withPassword = (proxy: ProxyAddress | null): ProxyAddress | null => {
    if (!proxy) return null
    const { proxyUser, proxyPassword } = settings()
    const known =
      proxy.user === undefined && proxyUser !== ''
        ? { ...proxy, user: proxyUser, password: proxyPassword ?? '' }
        : proxy
    if (known.password) {
      options.onSecret(known.password)
      options.onSecret(encodeURIComponent(known.password))
      options.onSecret(Buffer.from(`${known.user}:${known.password}`).toString('base64'))
    }
    return known
  }

  const bySettings = (address: string): ProxyAddress => {
    const from = 'Settings → Network'
    const proxy = parseProxy(address, from)
    // To go without it could show somebody what was meant for the proxy alone.
    if (!proxy) throw proxyUnusable(from)
    return proxy
  }

  const bySystem = (url: URL): Promise<ProxyAddress | null> => {
    const known = remembered.get(url.origin)
    if (known && performance.now() - known.at < rememberMs) return known.answer
    const answer = askSystem(url)
    if (remembered.size > 200) remembered.clear()
    remembered.set(url.origin, { at: performance.now(), answer })
    return answer
  }
  const askSystem = async (url: URL): Promise<ProxyAddress | null> => {
    const limit = Promise.withResolvers<string>()
    const timer = setTimeout(() => limit.resolve('DIRECT'), pacMs)
    try {
      // The path may hold secrets, and a PAC script comes from elsewhere.
      const answer = options.systemProxy?.(`${url.origin}/`) ?? 'DIRECT'
      return parsePacAnswer(await Promise.race([answer, limit.promise]))
    } catch (error) {
      options.warn("The system's proxy settings could not be read", { error })
      return null
    } finally {
      clearTimeout(timer)
    }
  }

  return (url) => {
    const { proxy } = settings()
    if (proxy === 'none' || goesDirect(env, url)) return null
    if (proxy !== '') return withPassword(bySettings(proxy))
    const named = environmentProxy(env, url)
    if (named || !options.systemProxy) return withPassword(named)
    return bySystem(url).then(withPassword)
  }
}
