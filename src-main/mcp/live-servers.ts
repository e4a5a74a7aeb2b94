import type { McpEvent, McpLogLine, McpServerConfig } from '../../src-preload/contract/mcp'
import type { Logger } from '../log'
import { createConnection } from './connection'
import type { Connection, ConnectionOptions } from './connection-types'

/** A server, and its connection while it is on. */
export interface LiveServer {
  /** Unique among all servers; for the user's own servers the same as the name. */
  readonly id: string
  /** The prefix before `__` in the names of its tools. */
  readonly name: string
  /** The folder whose file defines it; `null` for the user's own. */
  readonly project: string | null
  config: McpServerConfig
  connection: Connection | null
  lines: McpLogLine[]
}

type Given = Omit<ConnectionOptions, 'changed' | 'log'>

interface LiveServersOptions {
  log: Logger
  publish(event: McpEvent): void
  /** Called when tools or states have changed. */
  changed(): void
  /** The connection options, read at the moment of connecting. */
  connectionOf(server: LiveServer): Given
}

const keptLines = 500

export type LiveServers = ReturnType<typeof createLiveServers>

/** All servers by id, and how they are started and removed. */
export function createLiveServers({ log, publish, changed, connectionOf }: LiveServersOptions) {
  const all = new Map<string, LiveServer>()
  /** Removed servers that have not ended yet. */
  const endings = new Set<Promise<void>>()
  let closed = false

  const note = (server: LiveServer, from: McpLogLine['from'], text: string): void => {
    const line = { at: Date.now(), from, text: text.slice(0, 2000) }
    server.lines.push(line)
    if (server.lines.length > keptLines) server.lines.splice(0, server.lines.length - keptLines)
    if (from === 'deckhand') log.warn('MCP server', { server: server.id, text: line.text })
    if (!closed) publish({ type: 'mcp-log', server: server.id, lines: [line] })
  }

  /** Settles when the first attempt has succeeded or failed. */
  const start = async (server: LiveServer): Promise<void> => {
    const connection = createConnection({
      ...connectionOf(server),
      changed,
      log: (from, text) => note(server, from, text),
    })
    server.connection = connection
    await connection.start()
  }

  const stop = (server: LiveServer): void => {
    const { connection } = server
    server.connection = null
    if (connection) {
      const ending = connection
        .close()
        .catch((error: unknown) => log.warn('Closing an MCP server failed', { error }))
        .finally(() => endings.delete(ending))
      endings.add(ending)
    }
    changed()
  }

  return {
    all: all,
    start,
    stop,
    begin: (server: LiveServer): void => {
      start(server).catch((error: unknown) => log.error('Starting an MCP server failed', { server: server.id, error }))
    },
    find: (id: string): LiveServer => {
      const server = all.get(id)
      if (!server) throw new Error(`There is no MCP server ${id}`)
      return server
    },
    add: (given: Pick<LiveServer, 'id' | 'name' | 'project' | 'config'> & { lines?: McpLogLine[] }): LiveServer => {
      const server: LiveServer = { lines: [], ...given, connection: null }
      all.set(server.id, server)
      return server
    },
    remove: (server: LiveServer): void => {
      stop(server)
      all.delete(server.id)
    },
    close: async (): Promise<void> => {
      closed = true
      await Promise.all([...endings, ...[...all.values()].map(({ connection }) => connection?.close())])
    },
  }
}
