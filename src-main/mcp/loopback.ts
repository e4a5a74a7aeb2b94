import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

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

const path = '/callback'

/** A local HTTP server for the one redirect that completes a sign-in; it must carry `state`. */
export async function openLoopback(state: string): Promise<Loopback> {
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
    else if (url.searchParams.get('state') !== state) answer(400, 'This does not belong to a sign-in that was begun.')
    else {
      const signedIn = url.searchParams.has('code')
      answer(200, `You are ${signedIn ? '' : 'not '}signed in. You can close this page and go back to Deckhand.`)
      resolve(url.searchParams)
    }
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(0, '127.0.0.1', () => listening())
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    redirect: async (signal) => {
      const { promise: aborted, reject } = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      signal.throwIfAborted()
      const said = await Promise.race([visit, aborted])
      const [code, iss] = [said.get('code'), said.get('iss')]
      if (code !== null) return { code, ...(iss !== null && { iss }) }
      const why = said.get('error_description') ?? said.get('error') ?? 'no reason was given'
      throw new Error(`The sign-in was refused: ${why.slice(0, 300)}`)
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
