import { randomBytes } from 'node:crypto'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { openLoopback } from './loopback'

/** What a sign-in leaves behind: enough to go on without the user until the other side says no. */
export interface SignInGrant {
  /** The address of the server that it is for, and for no other. */
  url: string
  tokens: StoredOAuthTokens
  client: StoredOAuthClientInformation
  discovery: OAuthDiscoveryState
}

interface BrowserSignIn {
  url: string
  /** What the server said when it refused us. */
  challenge: { resourceMetadataUrl?: URL; scope?: string }
  fetch: typeof fetch
  /** Shows the user an address of the web. */
  open(address: string): Promise<boolean> | boolean
  signal: AbortSignal
}

/**
 * A sign-in in the user's browser: we register with the authorization server, send the user there with a challenge
 * (PKCE), and trade what the browser brings back for tokens.
 */
export async function signInByBrowser({ url, challenge, fetch, open, signal }: BrowserSignIn): Promise<SignInGrant> {
  const { auth } = await import('@modelcontextprotocol/client')
  const state = randomBytes(24).toString('base64url')
  const loopback = await openLoopback(state)
  let client: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let discovery: OAuthDiscoveryState | undefined
  let verifier = ''
  const provider: OAuthClientProvider = {
    redirectUrl: loopback.url,
    clientMetadata: {
      client_name: 'Deckhand',
      redirect_uris: [loopback.url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (next) => {
      client = next
    },
    tokens: () => tokens,
    saveTokens: (next) => {
      tokens = next
    },
    codeVerifier: () => verifier,
    saveCodeVerifier: (next) => {
      verifier = next
    },
    discoveryState: () => discovery,
    saveDiscoveryState: (next) => {
      discovery = next
    },
    redirectToAuthorization: async (address) => {
      refusePlain(address, url)
      if (!(await open(address.href))) throw new Error(`The address of the sign-in cannot be opened: ${address.origin}`)
    },
  }
  try {
    await auth(provider, { serverUrl: url, fetchFn: fetch, ...challenge })
    const { code, iss } = await loopback.redirect(signal)
    await auth(provider, { serverUrl: url, fetchFn: fetch, authorizationCode: code, ...(iss !== undefined && { iss }) })
  } finally {
    loopback.close()
  }
  if (!client || !tokens || !discovery) throw new Error('The sign-in ended without a token')
  return { url, tokens, client, discovery }
}

/** A password is typed there: no address that anybody on the way can read, unless the user named that host so. */
function refusePlain({ protocol, hostname, href }: URL, server: string): void {
  if (protocol === 'https:' || (protocol === 'http:' && hostname === new URL(server).hostname)) return
  throw new Error(`The sign-in would be at ${href.slice(0, 100)}, which is no encrypted page of the web`)
}
