import { createServer, type RequestListener, type Server } from 'node:http'
import { errorCode } from '../error-code'
import { listeningAddress } from '../listening-address'

/** What the browser brings back from a sign-in. */
interface Redirect {
  code: string
  /** The issuer that the redirect claims. */
  iss?: string
}

interface Loopback {
  /** The redirect address for the browser. */
  url: string
  /** Settles when the browser was redirected here. */
  redirect(signal: AbortSignal): Promise<Redirect>
  close(): void
}

const basePath = '/callback'

interface LoopbackOptions {
  /** The host name in the redirect address. All that `localhost` may lead to is listened on. */
  host?: '127.0.0.1' | 'localhost'
  /** Tried in order; 0 for any that is free. */
  ports?: readonly number[]
  /** `path` for services that do not return the `state`. */
  stateIn?: 'query' | 'path'
}

/** A local HTTP server for the one redirect that completes a sign-in; it must carry `state`. */
export async function openLoopback(state: string, options: LoopbackOptions = {}): Promise<Loopback> {
  const { host = '127.0.0.1', ports = [0], stateIn = 'query' } = options
  const path = stateIn === 'path' ? `${basePath}/${state}` : basePath
  const { promise: visit, resolve } = Promise.withResolvers<URLSearchParams>()
  const answerBrowser: RequestListener = (request, response) => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1')
    const answer = (status: number, words: string): void => {
      response
        .writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'",
        })
        .end(`<!doctype html><title>Deckhand</title><p>${words}</p>`)
    }
    if (request.method !== 'GET' || url?.pathname !== path) answer(404, 'There is nothing here.')
    else if (stateIn === 'query' && url.searchParams.get('state') !== state)
      answer(400, 'This does not belong to a sign-in that was begun.')
    else {
      const signedIn = url.searchParams.has('code')
      answer(200, `You are ${signedIn ? '' : 'not '}signed in. You can close this page and go back to Deckhand.`)
      resolve(url.searchParams)
    }
  }
  const { port, servers } = await listen(answerBrowser, host, ports)
  return {
    url: `http://${host}:${port}${path}`,
    redirect: async (signal) => {
      const { promise: aborted, reject } = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      signal.throwIfAborted()
      const said = await Promise.race([visit, aborted])
      const [code, iss] = [said.get('code'), said.get('iss')]
      if (code !== null) return { code, iss: iss ?? undefined }
      const why = said.get('error_description') ?? said.get('error') ?? 'no reason was given'
      throw new Error(`The sign-in was refused: ${why.slice(0, 300)}`)
    },
    close: () => {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

/** Opens a server on the first of the ports that is free at all addresses which the host's name may lead to. */
async function listen(
  listener: RequestListener,
  host: NonNullable<LoopbackOptions['host']>,
  ports: readonly number[],
): Promise<{ port: number; servers: Server[] }> {
  const [wanted = 0, ...others] = ports
  const servers: Server[] = []
  try {
    const first = await listenAt(listener, wanted, '127.0.0.1')
    servers.push(first)
    const { port } = listeningAddress(first)
    // A browser may try this one first, where another program would get the redirect.
    if (host === 'localhost') servers.push(...(await listenIfThereIs(listener, port, '::1')))
    return { port, servers }
  } catch (error) {
    for (const server of servers) server.close()
    if (others.length === 0 || errorCode(error) !== 'EADDRINUSE') throw error
    return listen(listener, host, others)
  }
}

/** None on a machine without such an address. */
const listenIfThereIs = async (listener: RequestListener, port: number, address: string): Promise<Server[]> => {
  try {
    return [await listenAt(listener, port, address)]
  } catch (error) {
    if (errorCode(error) === 'EADDRNOTAVAIL' || errorCode(error) === 'EAFNOSUPPORT') return []
    throw error
  }
}

async function listenAt(listener: RequestListener, port: number, address: string): Promise<Server> {
  const server = createServer(listener)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, address, resolve)
  await promise
  server.off('error', reject)
  return server
}
