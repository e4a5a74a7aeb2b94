import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ProxyAddress, proxyAuthorization, sameProxy, takesRequest } from './proxy-address'
import { openTunnel } from './tunnel'

type Callback = (error: Error | null, stream: Duplex) => void

/** Node's agent looks at the error alone. */
const fail = (callback: Callback | undefined, error: Error): void => callback?.(error, undefined as never)

/** Keeps and uses again the connections to hosts behind one proxy. */
class TunnelAgent extends HttpAgent {
  constructor(private readonly proxy: ProxyAddress) {
    super({ keepAlive: true })
  }
  override createConnection({ host, port }: ClientRequestArgs, callback?: Callback): undefined {
    openTunnel(this.proxy, String(host), Number(port)).then(
      (socket) => callback?.(null, socket),
      (error: Error) => fail(callback, error),
    )
  }
}

class SecureTunnelAgent extends HttpsAgent {
  constructor(private readonly proxy: ProxyAddress) {
    super({ keepAlive: true })
  }
  override createConnection(options: ClientRequestArgs, callback?: Callback): undefined {
    openTunnel(this.proxy, String(options.host), Number(options.port)).then(
      // Encrypted on top of it by Node's own agent, which also remembers the session.
      (socket) => callback?.(null, super.createConnection({ ...options, socket } as never) as Duplex),
      (error: Error) => fail(callback, error),
    )
  }
}

interface Agents {
  proxy: ProxyAddress
  plain: HttpAgent
  tunnel: TunnelAgent
  secure: SecureTunnelAgent
}

/** What requests of Node's client need to go through a proxy. Mostly there is one, so the agents of the last are kept. */
export function createAgents() {
  let known: Agents | null = null

  const close = (): void => {
    for (const agent of known ? [known.plain, known.tunnel, known.secure] : []) agent.destroy()
    known = null
  }

  const agentsOf = (proxy: ProxyAddress): Agents => {
    if (known && sameProxy(known.proxy, proxy)) return known
    // What still runs through the last one ends by itself.
    known = {
      proxy,
      plain: new HttpAgent({ keepAlive: true }),
      tunnel: new TunnelAgent(proxy),
      secure: new SecureTunnelAgent(proxy),
    }
    return known
  }

  return {
    optionsFor(proxy: ProxyAddress, url: URL): ClientRequestArgs {
      const agents = agentsOf(proxy)
      if (url.protocol === 'https:') return { agent: agents.secure }
      if (!takesRequest(proxy, url)) return { agent: agents.tunnel }
      const authorization = proxyAuthorization(proxy)
      return {
        agent: agents.plain,
        hostname: proxy.host,
        port: proxy.port,
        path: `${url.origin}${url.pathname}${url.search}`,
        headers: { host: url.host, ...(authorization && { 'proxy-authorization': authorization }) },
      }
    },
    close,
  }
}
