import type { SignInGrant } from './browser-sign-in'

interface SecretStore {
  get(name: string): string | null
  set(name: string, secret: string): void
  remove(name: string): void
}

/** The tokens of the servers that the user has signed in to. They are stored with the keys. */
export function createSignInGrants(secrets: SecretStore, onSecret: (secret: string) => void) {
  const grants = new Map<string, SignInGrant | null>()
  const secretName = (id: string): string => `mcp:${id}:oauth`

  const hide = ({ tokens, client }: SignInGrant): void => {
    const own = 'client_secret' in client ? client.client_secret : undefined
    for (const secret of [tokens.access_token, tokens.refresh_token, own]) if (secret) onSecret(secret)
  }

  const load = (id: string): SignInGrant | null => {
    const stored = secrets.get(secretName(id))
    const grant: SignInGrant | null = stored === null ? null : JSON.parse(stored)
    if (grant) hide(grant)
    grants.set(id, grant)
    return grant
  }

  return {
    /** A grant is valid only for the address that it was given for. */
    of: (id: string, url: string): SignInGrant | null => {
      const grant = grants.has(id) ? grants.get(id) : load(id)
      return grant?.url === url ? grant : null
    },
    /** Whether one was used or given in this run. */
    has: (id: string): boolean => !!grants.get(id),
    keep: (id: string, grant: SignInGrant): void => {
      hide(grant)
      grants.set(id, grant)
      secrets.set(secretName(id), JSON.stringify(grant))
    },
    forget: (id: string): void => {
      grants.delete(id)
      secrets.remove(secretName(id))
    },
  }
}
