import type { McpServerConfig } from '../../src-preload/contract/mcp'
import type { Logger } from '../log'
import type { LiveServer, LiveServers } from './live-servers'
import { readServers, serverIdTrouble, transportOf } from './server-config'
import type { createServerSecrets, SecretValues } from './server-secrets'

export interface SaveServer {
  id: string
  previousId?: string | undefined
  config: McpServerConfig
  secrets?: SecretValues | undefined
}

interface OwnServersOptions {
  log: Logger
  /** The sections `mcpServers` and `tools` of the settings file. */
  settings: { read(): { mcpServers: unknown; tools: unknown }; write(servers: Record<string, McpServerConfig>): void }
  nodeIds(): string[]
  servers: LiveServers
  secrets: ReturnType<typeof createServerSecrets>
  /** Forgets the sign-in and the known tools of a server. */
  forget(id: string): void
  changed(): void
}

/** The user's own servers, which are kept in the settings file. */
export function createOwnServers({ log, settings, nodeIds, servers, secrets, forget, changed }: OwnServersOptions) {
  const saved = settings.read()
  const { servers: own, warnings } = readServers(saved.mcpServers, saved.tools, nodeIds())
  for (const warning of warnings) log.warn(warning)
  for (const [id, config] of own) servers.add({ id, name: id, project: null, config })

  const owned = (): LiveServer[] => [...servers.all.values()].filter(({ project }) => project === null)
  const findOwn = (id: string): LiveServer => {
    const server = servers.find(id)
    if (server.project !== null) throw new Error(`${server.name} belongs to a project, whose file says how it is`)
    return server
  }
  const keep = (): void => settings.write(Object.fromEntries(owned().map(({ id, config }) => [id, config])))

  const startAll = async (): Promise<void> => {
    for (const { id, config } of owned()) {
      if (transportOf(config) !== 'none') continue
      log.warn('An MCP server is skipped: it has neither a command nor an address', { server: id })
    }
    const enabled = owned().filter(({ config, connection }) => config.enabled && !connection)
    await Promise.all(enabled.map(servers.start))
    if (servers.all.size > 0 || warnings.length > 0) changed()
  }

  return {
    startAll,
    save({ id, previousId, config, secrets: values = {} }: SaveServer): void {
      const trouble = serverIdTrouble(id, nodeIds())
      if (trouble) throw new Error(trouble)
      if (previousId !== id && servers.all.has(id)) throw new Error(`There is a server ${id} already`)
      const previous = servers.all.has(previousId ?? id) ? findOwn(previousId ?? id) : null
      if (previous) servers.stop(previous)
      if (previousId !== undefined && previousId !== id) {
        if (previous) servers.remove(previous)
        forget(previousId)
      }
      const server = servers.add({
        id,
        name: id,
        project: null,
        config: secrets.keep(id, config, values, previousId),
        lines: previous?.lines ?? [],
      })
      keep()
      if (server.config.enabled) servers.begin(server)
      changed()
    },
    remove(id: string): void {
      const server = findOwn(id)
      servers.remove(server)
      secrets.forget(id, server.config)
      forget(id)
      keep()
    },
    enable(id: string, enabled: boolean): void {
      const server = findOwn(id)
      server.config = { ...server.config, enabled }
      keep()
      servers.stop(server)
      if (enabled) servers.begin(server)
    },
  }
}
