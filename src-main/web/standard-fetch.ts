import { WebError } from './errors'
import type { Fetch } from './guarded-fetch'

const keepBytes = 1024 * 1024

/**
 * The guarded fetch with the standard `fetch` interface, for libraries that need it. The user has configured `host`, so
 * it may be anywhere. Other hosts must use HTTPS and be on the public internet, unless local addresses are allowed.
 */
export const standardFetch =
  (guarded: Fetch, host: string): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const trusted = url.hostname === host
    if (!trusted && url.protocol !== 'https:')
      throw new WebError('refused', `${url.origin} is not encrypted, so nothing is sent there`)
    const { method = 'GET', headers, body, signal } = init
    const fetched = await guarded({
      url: url.href,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      keepBytes,
      trusted,
      ...(body != null && { body: String(body) }),
      signal: signal ?? undefined,
    })
    const { status } = fetched
    const empty = status === 204 || status === 304
    return new Response(empty ? null : new Uint8Array(fetched.body), {
      status,
      headers: { 'content-type': fetched.contentType },
    })
  }
