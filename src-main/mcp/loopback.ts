import { createServer, type Server } from 'node:http'
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
  /** The host name in the redirect address. */
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
  const server = createServer((request, response) => {
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
  })
  await listen(server, ports)
  return {
    url: `http://${host}:${listeningAddress(server).port}${path}`,
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
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listen(server: Server, ports: readonly number[]): Promise<void> {
  const [port = 0, ...others] = ports
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, '127.0.0.1', resolve)
  try {
    await promise
  } catch (error) {
    if (others.length === 0 || errorCode(error) !== 'EADDRINUSE') throw error
    await listen(server, others)
  } finally {
    server.off('error', reject).off('listening', resolve)
  }
}
