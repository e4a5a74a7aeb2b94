import type { AuthProvider } from '@modelcontextprotocol/client'
import type { McpSignIn } from '../../src-preload/contract/mcp'
import { GivenUp, untilSignedIn } from '../sign-in-attempt'
import type { SignInGrant } from './browser-sign-in'
import { createSignInGrants } from './sign-in-grants'

interface SignInsOptions {
  secrets: { get(name: string): string | null; set(name: string, secret: string): void; remove(name: string): void }
  onSecret(secret: string): void
  /** `fetch` for the sign-in requests of a server at this address. */
  fetchFor(url: string): typeof fetch
  changed(): void
}

/** The server requires a sign-in. */
export class SignInNeeded extends Error {
  constructor() {
    super('It wants you to sign in')
    this.name = 'SignInNeeded'
  }
}

export type SignIns = ReturnType<typeof createSignIns>

/** The sign-ins to all servers. Tokens are stored with the keys, and stay in this process. */
export function createSignIns({ secrets, onSecret, fetchFor, changed }: SignInsOptions) {
  const grants = createSignInGrants(secrets, onSecret)
  const challenges = new Map<string, { resourceMetadataUrl?: URL; scope?: string }>()
  const expired = new Set<string>()
  const waiting = new Map<string, AbortController>()
  const refreshing = new Map<string, Promise<void>>()

  const keep = (id: string, grant: SignInGrant): void => {
    grants.keep(id, grant)
    expired.delete(id)
  }

  const refresh = async (id: string, grant: SignInGrant): Promise<void> => {
    const { OAuthError, refreshAuthorization } = await import('@modelcontextprotocol/client')
    const { tokens, client, discovery } = grant
    if (!tokens.refresh_token) return lapse(id)
    const { authorizationServerMetadata: metadata, resourceMetadata } = discovery
    try {
      const next = await refreshAuthorization(discovery.authorizationServerUrl, {
        clientInformation: client,
        refreshToken: tokens.refresh_token,
        fetchFn: fetchFor(grant.url),
        metadata,
        resource: resourceMetadata?.resource,
      })
      keep(id, { ...grant, tokens: { ...tokens, ...next } })
    } catch (error) {
      // Only a definite refusal ends the sign-in: a temporary network problem does not.
      if (error instanceof OAuthError && error.code !== 'server_error' && error.code !== 'temporarily_unavailable')
        return lapse(id)
      throw error
    }
  }
  const lapse = (id: string): never => {
    expired.add(id)
    grants.forget(id)
    throw new SignInNeeded()
  }

  return {
    /** For the requests of a connection. If several are refused at once, the token is renewed only once. */
    authFor: (id: string, url: string): AuthProvider => ({
      token: async () => grants.of(id, url)?.tokens.access_token,
      onUnauthorized: async ({ response }) => {
        const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
        challenges.set(id, { resourceMetadataUrl, ...(scope && { scope }) })
        const grant = grants.of(id, url)
        if (!grant) throw new SignInNeeded()
        const underWay = refreshing.get(id) ?? refresh(id, grant).finally(() => refreshing.delete(id))
        refreshing.set(id, underWay)
        await underWay
      },
    }),
    stateOf: (id: string, needed: boolean): McpSignIn | undefined => {
      if (waiting.has(id)) return 'waiting'
      if (needed) return expired.has(id) ? 'expired' : 'needed'
      return grants.has(id) ? 'done' : undefined
    },
    /** True if the user has signed in, false if they gave up. A new attempt ends the previous one. */
    async signIn(id: string, url: string, open: (address: string) => Promise<boolean> | boolean): Promise<boolean> {
      waiting.get(id)?.abort(new GivenUp())
      const trying = new AbortController()
      waiting.set(id, trying)
      changed()
      const challenge = challenges.get(id) ?? {}
      try {
        return await untilSignedIn(trying.signal, async (signal) => {
          // Loaded on first use: sign-ins are rare, and the start of the app should not wait for this code.
          const { signInByBrowser } = await import('./browser-sign-in')
          keep(id, await signInByBrowser({ url, challenge, fetch: fetchFor(url), open, signal }))
        })
      } finally {
        if (waiting.get(id) === trying) waiting.delete(id)
        changed()
      }
    },
    cancel: (id: string): void => waiting.get(id)?.abort(new GivenUp()),
    /** Forgets the tokens. The server is not told. */
    signOut: (id: string): void => {
      waiting.get(id)?.abort(new GivenUp())
      expired.delete(id)
      challenges.delete(id)
      grants.forget(id)
    },
    close: (): void => {
      for (const trying of waiting.values()) trying.abort(new GivenUp())
    },
  }
}
