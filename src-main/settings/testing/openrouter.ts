import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** Stands in for OpenRouter: a page that sends the browser back with a code, and the exchange of that code for a key. */
export async function openRouterStandIn() {
  const codes = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1')
    if (url.pathname === '/auth') {
      const [challenge, method] = [
        url.searchParams.get('code_challenge'),
        url.searchParams.get('code_challenge_method'),
      ]
      const back = new URL(url.searchParams.get('callback_url') ?? '')
      if (!challenge || method !== 'S256') return void response.writeHead(400).end()
      const code = `code-${codes.size}`
      codes.set(code, challenge)
      back.searchParams.set('code', code)
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/api/v1/models') return void response.end('{"data":[{"id":"some/model"}]}')
    const sent = (await json(request)) as { code: string; code_verifier: string; code_challenge_method: string }
    const proof = createHash('sha256').update(sent.code_verifier).digest('base64url')
    const fits = sent.code_challenge_method === 'S256' && codes.get(sent.code) === proof
    codes.delete(sent.code)
    response.writeHead(fits ? 200 : 403, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(fits ? { key: 'sk-or-v1-signed-in', user_id: 'u' } : { error: { message: 'Invalid code' } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
