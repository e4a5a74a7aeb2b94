import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A real MCP server over HTTP that requires a token, and the authorization server that issues them. */
export interface SignInServer {
  url: string
  /** What happened, in order: `register`, `authorize`, `token authorization_code`, `token refresh_token`. */
  readonly requests: string[]
  /** Tokens issued so far are no longer accepted. */
  expire(): void
  /** Refresh tokens issued so far are no longer accepted. */
  revoke(): void
  /** From now on users decline. */
  refuse(): void
  /** From now on users are sent to this address to sign in. */
  lead(address: string): void
  close(): Promise<void>
}

export async function openSignInServer(): Promise<SignInServer> {
  const requests: string[] = []
  const clients = new Map<string, string[]>()
  const codes = new Map<string, { challenge: string; client: string; redirect: string }>()
  const access = new Set<string>()
  const renewals = new Set<string>()
  let refuses = false
  let elsewhere: string | undefined
  let base = ''

  const send = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    requests.push('authorize')
    const [client = '', redirect = ''] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? '']
    const known = clients.get(client)?.includes(redirect) && query.get('code_challenge_method') === 'S256'
    if (!known) {
      send(response, 400, { error: 'invalid_request' })
      return
    }
    const back = new URL(redirect)
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('iss', base)
    if (refuses) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomUUID()
      codes.set(code, { challenge: query.get('code_challenge') ?? '', client, redirect })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  const grant = (response: ServerResponse): void => {
    const [token, renewal] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    access.add(token)
    renewals.add(renewal)
    send(response, 200, { access_token: token, refresh_token: renewal, token_type: 'Bearer', expires_in: 3600 })
  }

  const token = (form: URLSearchParams, response: ServerResponse): void => {
    requests.push(`token ${form.get('grant_type')}`)
    if (form.get('grant_type') === 'refresh_token') {
      if (renewals.delete(form.get('refresh_token') ?? '')) grant(response)
      else send(response, 400, { error: 'invalid_grant' })
      return
    }
    const code = form.get('code') ?? ''
    const given = codes.get(code)
    codes.delete(code)
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const right =
      given?.challenge === proof &&
      given.client === form.get('client_id') &&
      given.redirect === form.get('redirect_uri')
    if (right) grant(response)
    else send(response, 400, { error: 'invalid_grant' })
  }

  const mcp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!access.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) {
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`
      return send(
        response,
        401,
        { error: 'invalid_token' },
        { 'www-authenticate': `Bearer resource_metadata="${metadata}"` },
      )
    }
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse(await text(request))
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      },
      'tools/list': { tools: [{ name: 'secret', description: 'Tells', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'told' }] },
    }
    if (id === undefined) response.writeHead(202).end()
    else if (results[method]) send(response, 200, { jsonrpc: '2.0', id, result: results[method] })
    else send(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', base)
    switch (pathname) {
      case '/mcp':
        return mcp(request, response)
      case '/.well-known/oauth-protected-resource/mcp':
        return send(response, 200, { resource: `${base}/mcp`, authorization_servers: [base] })
      case '/.well-known/oauth-authorization-server':
        return send(response, 200, {
          issuer: base,
          authorization_endpoint: elsewhere ?? `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          authorization_response_iss_parameter_supported: true,
        })
      case '/register': {
        requests.push('register')
        const wish = JSON.parse(await text(request))
        const id = randomUUID()
        clients.set(id, wish.redirect_uris)
        return send(response, 201, { ...wish, client_id: id })
      }
      case '/authorize':
        return authorize(searchParams, response)
      case '/token':
        return token(new URLSearchParams(await text(request)), response)
      default:
        return void response.writeHead(404).end()
    }
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/mcp`,
    requests,
    expire: () => access.clear(),
    revoke: () => renewals.clear(),
    refuse: () => {
      refuses = true
    },
    lead: (address) => {
      elsewhere = address
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
