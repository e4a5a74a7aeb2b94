import { randomBytes } from 'node:crypto'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { openLoopback } from './loopback'

/** The result of a sign-in: enough to continue without the user until the server rejects it. */
export interface SignInGrant {
  /** The only server address that it may be used for. */
  url: string
  tokens: StoredOAuthTokens
  client: StoredOAuthClientInformation
  discovery: OAuthDiscoveryState
}

interface BrowserSignIn {
  url: string
  /** From the server's refusal. */
  challenge: { resourceMetadataUrl?: URL; scope?: string }
  fetch: typeof fetch
  /** Opens a web address for the user. */
  open(address: string): Promise<boolean> | boolean
  signal: AbortSignal
}

/**
 * A sign-in in the user's browser: registers with the authorization server, sends the user there with a challenge
 * (PKCE), and exchanges the code that the browser brings back for tokens.
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
    await auth(provider, { serverUrl: url, fetchFn: fetch, authorizationCode: code, iss })
  } finally {
    loopback.close()
  }
  if (!client || !tokens || !discovery) throw new Error('The sign-in ended without a token')
  return { url, tokens, client, discovery }
}

/** A password is typed there, so plain http is refused, except on the server's own host as the user configured it. */
function refusePlain({ protocol, hostname, href }: URL, server: string): void {
  if (protocol === 'https:' || (protocol === 'http:' && hostname === new URL(server).hostname)) return
  throw new Error(`The sign-in would be at ${href.slice(0, 100)}, which is no encrypted page of the web`)
}
