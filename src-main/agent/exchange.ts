import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
import type { Network, Proxied } from '../network/network'
import { answerOfProxy, type NetworkTrouble, proxyPassword, refusedByEither, whenProxyIsGone } from '../network/trouble'

export interface Outgoing {
  headers: Record<string, string>
  /** Sent by POST; a GET where there is none. */
  body?: string
  signal: AbortSignal
  /** How requests leave this machine; straight to their address if absent. */
  network?: Network | undefined
}

export interface Incoming {
  status: number
  headers: IncomingHttpHeaders
  /** Unpacked. Whoever stops reading before its end closes the connection. */
  body: AsyncIterable<Uint8Array>
}

/**
 * One request and the beginning of its answer. By Node's own client and not by `fetch`, which does the same with twice the
 * work; connections are kept and used again. Redirects are not followed, and nothing asks for a packed answer, in which
 * words would wait for each other.
 */
export const exchange = async (address: string, outgoing: Outgoing): Promise<Incoming> => {
  outgoing.signal.throwIfAborted()
  const url = new URL(address)
  const { network } = outgoing
  const response = network
    ? await network.attempt(url.host, () => open(url, outgoing, network))
    : await open(url, outgoing)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await unpacked(response),
  }
}

const open = async (url: URL, { headers, body, signal }: Outgoing, network?: Network): Promise<IncomingMessage> => {
  const proxied = network?.requestOptions(url) ?? null
  const through = proxied && (await proxied)
  signal.throwIfAborted()
  // Not by an import, which would touch every export of node:http and so load the whole of `fetch` behind one of them.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const options: RequestOptions = {
    ...through?.options,
    method: body === undefined ? 'GET' : 'POST',
    // Some servers turn away who does not say what he is.
    headers: {
      'user-agent': 'deckhand',
      ...headers,
      ...(through?.options.headers as Record<string, string> | undefined),
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
  }
  const attempt = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      let answered = false
      const sent = request(url, options, (response) => {
        answered = true
        // Thrown to the reader; without a reader it does not matter.
        response.on('error', () => {})
        const refusal = through && refusalOf(through, url.host, response)
        if (!refusal) return resolve(response)
        response.destroy()
        reject(refusal)
      })
      const onAbort = (): void => void sent.destroy()
      signal.addEventListener('abort', onAbort, { once: true })
      sent.on('close', () => signal.removeEventListener('abort', onAbort))
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server gave up a kept connection at the moment in which it was used again.
        const stale = sent.reusedSocket && !answered && error.code === 'ECONNRESET' && !signal.aborted
        if (stale) resolve(attempt())
        else reject(through?.takesRequest ? whenProxyIsGone(error, through.proxy) : error)
      })
      sent.end(body)
    })
  return attempt()
}

/** What the proxy on the way has answered itself, or may have: a model server gives its reasons as JSON. */
const refusalOf = (
  { proxy, takesRequest }: Proxied,
  host: string,
  { statusCode = 0, headers }: IncomingMessage,
): NetworkTrouble | null => {
  if (statusCode === 407) return proxyPassword(proxy, headers['proxy-authenticate'] ?? '')
  if (!takesRequest) return null
  const isPage = !/\bjson\b/i.test(headers['content-type'] ?? '')
  const either = statusCode === 403 && isPage ? refusedByEither(proxy, host, statusCode) : null
  return answerOfProxy(proxy, host, statusCode, (name) => headers[name]) ?? either
}

/** Some servers compress responses without being asked to. */
const unpacked = async (response: IncomingMessage): Promise<AsyncIterable<Uint8Array>> => {
  const encoding = response.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return response
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib')
  const makers = new Map<string, () => Transform>([
    ['gzip', createGunzip],
    ['x-gzip', createGunzip],
    ['deflate', createInflate],
    ['br', createBrotliDecompress],
  ])
  const unpacker = makers.get(encoding.toLowerCase())?.()
  // Errors on the way are thrown to the reader.
  return unpacker ? pipeline(response, unpacker, () => {}) : response
}
