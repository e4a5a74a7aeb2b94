import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici'
import { type ProxyAddress, proxyAuthorization, sameProxy, shownProxy, takesRequest } from './proxy-address'
import { openTunnel } from './tunnel'

const connectMs = 30_000

interface TunnelOptions extends Agent.Options {
  /** What the proxy is asked to connect to in place of this host; throws if that is not allowed. */
  target?(hostname: string, protocol: string): Promise<string>
}

/** Connections through a proxy, for `fetch`. */
export function tunnelDispatcher(proxy: ProxyAddress, { target, ...options }: TunnelOptions = {}): Agent {
  const encrypt = buildConnector({ timeout: connectMs })
  const connect: buildConnector.connector = (wanted, callback) => {
    const { hostname, protocol } = wanted
    const open = async () => {
      const host = hostname.replace(/^\[|\]$/g, '')
      const port = Number(wanted.port) || (protocol === 'https:' ? 443 : 80)
      return openTunnel(proxy, target ? await target(host, protocol) : host, port)
    }
    open().then(
      (socket) =>
        protocol === 'https:' ? encrypt({ ...wanted, httpSocket: socket }, callback) : callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }
  return new Agent({ ...options, connect })
}

/** What `fetch` sends its requests by: straight, or through a proxy. The dispatchers of the last proxy are kept. */
export function createDispatchers() {
  const direct = new Agent()
  let known: { proxy: ProxyAddress; tunnel: Agent; plain: ProxyAgent } | null = null

  const ofProxy = (proxy: ProxyAddress): NonNullable<typeof known> => {
    if (known && sameProxy(known.proxy, proxy)) return known
    const authorization = proxyAuthorization(proxy)
    known = {
      proxy,
      tunnel: tunnelDispatcher(proxy),
      plain: new ProxyAgent({
        uri: `http://${shownProxy({ ...proxy, scheme: 'http' })}`,
        proxyTunnel: false,
        ...(authorization && { token: authorization }),
      }),
    }
    return known
  }

  return {
    for: (proxy: ProxyAddress | null, url: URL): Dispatcher => {
      if (!proxy) return direct
      const { tunnel, plain } = ofProxy(proxy)
      return takesRequest(proxy, url) ? plain : tunnel
    },
    close: async (): Promise<void> => {
      await Promise.all([direct.destroy(), known?.tunnel.destroy(), known?.plain.destroy()])
    },
  }
}
