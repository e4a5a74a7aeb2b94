import type { CallToolResult } from '@modelcontextprotocol/client'
import type {
  McpEvent,
  McpImport,
  McpLogLine,
  McpPolicy,
  McpServerConfig,
  McpServerInfo,
} from '../../src-preload/contract/mcp'
import type { Database } from '../database'
import type { Logger } from '../log'
import { type CallOptions, type Connection, createConnection } from './connection'
import { importServers } from './import-servers'
import { createKnownTools, type Permissions } from './known-tools'
import { readServers, serverIdTrouble, transportOf } from './server-config'
import { createServerSecrets, type SecretValues } from './server-secrets'
import { fullName, type McpDefinition, shownName } from './tool-definition'

/** A tool that can be called now. */
export interface McpTool {
  server: string
  definition: McpDefinition
  fullName: string
  transport: 'stdio' | 'http'
  /** What a permission is given for: this very definition behind this very command or address. */
  key: string
  /** What is different from what the user knows, as a diff; `null` when nothing is. */
  change: { before: string; after: string } | null
  call(args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>
}

/** MCP servers. What is refused is thrown as an `Error` in words. */
export interface Mcp {
  /** By full name. The same map until something changes. */
  tools(): ReadonlyMap<string, McpTool>
  view(): McpServerInfo[]
  save(wish: {
    id: string
    previousId?: string | undefined
    config: McpServerConfig
    secrets?: SecretValues | undefined
  }): McpServerInfo[]
  remove(id: string): McpServerInfo[]
  enable(id: string, enabled: boolean): McpServerInfo[]
  restart(id: string): void
  test(wish: {
    id?: string | undefined
    config: McpServerConfig
    secrets?: SecretValues | undefined
  }): Promise<{ ok: boolean; message: string; tools: string[] }>
  log(id: string): McpLogLine[]
  import(text: string): Promise<McpImport>
  setPolicy(id: string, tool: string, policy: McpPolicy): McpServerInfo[]
  acceptChange(id: string, tool: string): McpServerInfo[]
  /** Starts what is enabled, once, and settles when each has been tried. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface McpOptions {
  database: Database
  log: Logger
  version: string
  /** The folder of servers that name none. */
  cwd: string
  /** The sections `mcpServers` and `tools` of the settings file. */
  settings: { read(): { mcpServers: unknown; tools: unknown }; write(servers: Record<string, McpServerConfig>): void }
  secrets: { get(name: string): string | null; set(name: string, secret: string): void; remove(name: string): void }
  /** Called with every secret before it is used, so that no log shows it. */
  onSecret(secret: string): void
  permissions: Permissions
  /** Ids of machines, which stand before `__` too. */
  nodeIds(): string[]
  publish(event: McpEvent): void
  backoffMs?: number
}

const keptLines = 500
const announceMs = 50

interface Entry {
  config: McpServerConfig
  connection: Connection | null
  lines: McpLogLine[]
}

export function createMcp(options: McpOptions): Mcp {
  const { settings, log } = options
  const known = createKnownTools(options.database, options.permissions)
  const secrets = createServerSecrets(options.secrets, options.onSecret)
  const { servers, warnings } = load()
  let ready: Map<string, McpTool> | null = null
  let news: NodeJS.Timeout | undefined
  /** Servers that were let go and have not ended yet. */
  const endings = new Set<Promise<void>>()
  let closed = false
  let started: Promise<void> | null = null

  function load(): { servers: Map<string, Entry>; warnings: string[] } {
    const { mcpServers, tools } = settings.read()
    const read = readServers(mcpServers, tools, options.nodeIds())
    for (const warning of read.warnings) log.warn(warning)
    const entries = [...read.servers].map(([id, config]): [string, Entry] => [
      id,
      { config, connection: null, lines: [] },
    ])
    return { servers: new Map(entries), warnings: read.warnings }
  }

  const find = (id: string): Entry => {
    const entry = servers.get(id)
    if (!entry) throw new Error(`There is no MCP server ${id}`)
    return entry
  }

  const changed = (): void => {
    ready = null
    if (news || closed) return
    news = setTimeout(() => {
      news = undefined
      options.publish({ type: 'mcp', servers: view() })
    }, announceMs)
    news.unref()
  }

  const connect = async (id: string, entry: Entry): Promise<void> => {
    const connection = createConnection({
      config: entry.config,
      secrets: secrets.of(id, entry.config),
      version: options.version,
      cwd: options.cwd,
      changed,
      log: (from, text) => {
        const line = { at: Date.now(), from, text: text.slice(0, 2000) }
        entry.lines.push(line)
        if (entry.lines.length > keptLines) entry.lines.splice(0, entry.lines.length - keptLines)
        if (from === 'deckhand') log.warn('MCP server', { server: id, text: line.text })
        if (!closed) options.publish({ type: 'mcp-log', server: id, lines: [line] })
      },
      ...(options.backoffMs !== undefined && { backoffMs: options.backoffMs }),
    })
    entry.connection = connection
    await connection.start()
  }

  const disconnect = (entry: Entry): void => {
    const { connection } = entry
    entry.connection = null
    if (connection) {
      const ending = connection
        .close()
        .catch((error: unknown) => log.warn('Closing an MCP server failed', { error }))
        .finally(() => endings.delete(ending))
      endings.add(ending)
    }
    changed()
  }

  const begin = (id: string, entry: Entry): void => {
    connect(id, entry).catch((error: unknown) => log.error('Starting an MCP server failed', { server: id, error }))
  }

  const keep = (): void => settings.write(Object.fromEntries([...servers].map(([id, { config }]) => [id, config])))

  const tools: Mcp['tools'] = () => {
    if (ready) return ready
    ready = new Map()
    for (const [id, entry] of servers) {
      const { connection } = entry
      const transport = transportOf(entry.config)
      if (connection?.state !== 'ready' || transport === 'none') continue
      for (const definition of connection.tools) {
        const { change, denied, key } = known.look(id, entry.config, definition)
        if (denied) continue
        const name = fullName(id, definition.name)
        ready.set(name, {
          server: id,
          definition,
          fullName: name,
          transport,
          key,
          change,
          call: (args, callOptions) => connection.call(definition.name, args, callOptions),
        })
      }
    }
    return ready
  }

  const infoOf = (id: string, entry: Entry): McpServerInfo => {
    const { config, connection } = entry
    const transport = transportOf(config)
    return {
      id,
      config,
      transport,
      state: connection?.state ?? (transport === 'none' ? 'skipped' : 'off'),
      restarts: connection?.restarts ?? 0,
      tools: connection?.tools.map((definition) => known.info(id, config, definition)) ?? [],
      warnings: transport === 'none' ? ['It has neither a command nor an address, so it is skipped.'] : [],
      ...(connection?.error && { error: connection.error }),
      ...(connection?.pid !== undefined && { pid: connection.pid }),
      ...(connection?.serverName && { serverName: connection.serverName }),
    }
  }
  const view = (): McpServerInfo[] => [...servers].map(([id, entry]) => infoOf(id, entry))

  const toolOf = (id: string, name: string): { entry: Entry; definition: McpDefinition } => {
    const entry = find(id)
    const definition = entry.connection?.tools.find((each) => shownName(each.name) === name)
    if (!definition) throw new Error(`The server ${id} has no tool ${name} now`)
    return { entry, definition }
  }

  const startAll = async (): Promise<void> => {
    for (const [id, { config }] of servers) {
      if (transportOf(config) !== 'none') continue
      log.warn('An MCP server is skipped: it has neither a command nor an address', { server: id })
    }
    const enabled = [...servers].filter(([, { config, connection }]) => config.enabled && !connection)
    await Promise.all(enabled.map(([id, entry]) => connect(id, entry)))
    if (servers.size > 0 || warnings.length > 0) changed()
  }

  return {
    tools,
    view,
    save({ id, previousId, config, secrets: values = {} }) {
      const trouble = serverIdTrouble(id, options.nodeIds())
      if (trouble) throw new Error(trouble)
      if (previousId !== id && servers.has(id)) throw new Error(`There is a server ${id} already`)
      const previous = servers.get(previousId ?? id)
      if (previous) disconnect(previous)
      const entry: Entry = {
        config: secrets.keep(id, config, values, previousId),
        connection: null,
        lines: previous?.lines ?? [],
      }
      if (previousId !== undefined && previousId !== id) {
        servers.delete(previousId)
        known.forget(previousId)
      }
      servers.set(id, entry)
      keep()
      if (entry.config.enabled) begin(id, entry)
      changed()
      return view()
    },
    remove(id) {
      const entry = find(id)
      disconnect(entry)
      servers.delete(id)
      secrets.forget(id, entry.config)
      known.forget(id)
      keep()
      changed()
      return view()
    },
    enable(id, enabled) {
      const entry = find(id)
      entry.config = { ...entry.config, enabled }
      keep()
      disconnect(entry)
      if (enabled) begin(id, entry)
      return view()
    },
    restart(id) {
      const entry = find(id)
      disconnect(entry)
      begin(id, entry)
    },
    async test({ id, config, secrets: values = {} }) {
      const heard: string[] = []
      const connection = createConnection({
        config,
        secrets: secrets.trial(id, config, values),
        version: options.version,
        cwd: options.cwd,
        changed: () => {},
        log: (from, text) => void (heard.length < 20 && from !== 'server' && heard.push(text)),
      })
      try {
        await connection.start()
        const names = connection.tools.map(({ name }) => shownName(name))
        if (connection.state === 'ready')
          return {
            ok: true,
            message: `It answers, with ${names.length} ${names.length === 1 ? 'tool' : 'tools'}.`,
            tools: names,
          }
        return {
          ok: false,
          message: [connection.error, ...heard.filter((line) => line !== connection.error).slice(-5)]
            .filter(Boolean)
            .join('\n'),
          tools: [],
        }
      } finally {
        await connection.close()
      }
    },
    log: (id) => [...find(id).lines],
    import: importServers,
    setPolicy(id, tool, policy) {
      const { entry, definition } = toolOf(id, tool)
      known.decide(id, entry.config, definition, policy)
      changed()
      return view()
    },
    acceptChange(id, tool) {
      const { entry, definition } = toolOf(id, tool)
      known.accept(id, entry.config, definition)
      changed()
      return view()
    },
    start() {
      started ??= startAll()
      return started
    },
    async close() {
      closed = true
      clearTimeout(news)
      await Promise.all([...endings, ...[...servers.values()].map(({ connection }) => connection?.close())])
    },
  }
}
