import type { AuthProvider } from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../../src-preload/contract/mcp'
import type { ConnectionOptions } from './connection-types'
import type { LiveServer } from './live-servers'
import { fillIn } from './project-file'
import type { createServerSecrets, SecretValues } from './server-secrets'

export interface TrialWish {
  id?: string | undefined
  config: McpServerConfig
  secrets?: SecretValues | undefined
}

interface MaterialOptions {
  secrets: ReturnType<typeof createServerSecrets>
  onSecret(secret: string): void
  authFor(id: string, url: string): AuthProvider
  fetch?: typeof fetch
  version: string
  cwd: string
  backoffMs?: number
}

type Material = Omit<ConnectionOptions, 'changed' | 'log'>

/** What a connection is made from: the configuration with its secrets, sign-in and folder. */
export function createConnectionMaterial({ secrets, onSecret, authFor, fetch: given, ...options }: MaterialOptions) {
  const { version, cwd, backoffMs } = options
  const shared = { fetch: given ?? fetch, version, cwd }

  /** A project's file holds no secrets, but may refer to the user's environment variables. */
  const materialOf = ({ id, config, project }: LiveServer): Pick<ConnectionOptions, 'config' | 'secrets'> => {
    if (project === null) return { config, secrets: secrets.of(id, config) }
    const filled = fillIn(config, process.env)
    for (const secret of filled.secrets) onSecret(secret)
    return { config: filled.config, secrets: { env: {}, headers: {} } }
  }

  return {
    of: (server: LiveServer): Material => {
      const material = materialOf(server)
      return {
        ...shared,
        ...material,
        name: server.name,
        auth: authFor(server.id, material.config.url ?? ''),
        root: server.project === null ? rootOf(server.config) : { folder: server.project },
        backoffMs,
      }
    },
    /** For a server that is only tried, with secrets that are not saved yet. */
    ofTrial: ({ id, config, secrets: values = {} }: TrialWish): Material => ({
      ...shared,
      config,
      secrets: secrets.trial(id, config, values),
      name: id ?? 'it',
      auth: authFor(id ?? '', config.url ?? ''),
      root: rootOf(config),
    }),
    addressOf: (server: LiveServer): string => materialOf(server).config.url ?? '',
  }
}

/** A server that is told a folder may limit itself to it, whatever its arguments say, so this is opt-in. */
const rootOf = ({ tellFolder }: McpServerConfig): ConnectionOptions['root'] => (tellFolder ? 'of-the-session' : null)
