import type { McpServerConfig } from '../../src-preload/contract/mcp'

/** By the name of the variable or header. */
export type SecretValues = Record<string, string>

interface Store {
  get(name: string): string | null
  set(name: string, secret: string): void
  remove(name: string): void
}

export const looksSecret =
  /(?:^|[_-])(?:api[_-]?key|access[_-]?key|key|token|secret|password|passwd|pat|auth|authorization|credentials?|cookie)(?:$|[_-])/i

/** Stores a server's secrets with the keys, and keeps them out of the settings file. */
export function createServerSecrets(store: Store, onSecret: (secret: string) => void) {
  const nameOf = (id: string, kind: 'env' | 'headers', name: string): string => `mcp:${id}:${kind}:${name}`

  /** Without a keychain, the environment variable of the same name is used. */
  const value = (id: string, kind: 'env' | 'headers', name: string): string | null => {
    const found = store.get(nameOf(id, kind, name)) ?? (kind === 'env' ? (process.env[name] ?? null) : null)
    if (found) onSecret(found)
    return found
  }
  const valuesOf = (id: string, kind: 'env' | 'headers', names: readonly string[] = []): SecretValues =>
    Object.fromEntries(
      names.flatMap((name) => {
        const found = value(id, kind, name)
        return found === null ? [] : [[name, found]]
      }),
    )

  return {
    of: (id: string, { secretEnv, secretHeaders }: McpServerConfig) => ({
      env: valuesOf(id, 'env', secretEnv),
      headers: valuesOf(id, 'headers', secretHeaders),
    }),
    /** For a server that is only tried: what was typed, otherwise what is stored. */
    trial(id: string | undefined, config: McpServerConfig, typed: SecretValues) {
      const stored = id === undefined ? { env: {}, headers: {} } : this.of(id, config)
      const pick = (names: readonly string[] = []): SecretValues =>
        Object.fromEntries(names.filter((name) => typed[name]).map((name) => [name, typed[name] ?? '']))
      return {
        env: { ...stored.env, ...pick(config.secretEnv) },
        headers: { ...stored.headers, ...pick(config.secretHeaders) },
      }
    },
    /** Stores the secret values of a configuration, and returns the configuration without them. */
    keep(id: string, config: McpServerConfig, typed: SecretValues, previousId = id): McpServerConfig {
      const kept: McpServerConfig = { ...config }
      for (const [kind, listed] of [
        ['env', 'secretEnv'],
        ['headers', 'secretHeaders'],
      ] as const) {
        const open = Object.entries(config[kind] ?? {})
        const hidden = open.filter(([name]) => looksSecret.test(name))
        const names = [...new Set([...(config[listed] ?? []), ...hidden.map(([name]) => name)])]
        const given: SecretValues = { ...Object.fromEntries(hidden), ...typed }
        for (const name of names) {
          const next = given[name] || store.get(nameOf(previousId, kind, name))
          if (next) {
            onSecret(next)
            store.set(nameOf(id, kind, name), next)
          }
        }
        if (names.length > 0) kept[listed] = names
        if (open.length > 0) kept[kind] = Object.fromEntries(open.filter(([name]) => !looksSecret.test(name)))
      }
      return kept
    },
    forget(id: string, { secretEnv = [], secretHeaders = [] }: McpServerConfig): void {
      for (const name of secretEnv) store.remove(nameOf(id, 'env', name))
      for (const name of secretHeaders) store.remove(nameOf(id, 'headers', name))
    },
  }
}
