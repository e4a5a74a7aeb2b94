import type { CallToolResult } from '@modelcontextprotocol/client'
import type { McpServerInfo } from '../../src-preload/contract/mcp'
import type { CallOptions } from './connection'
import type { createKnownTools } from './known-tools'
import type { LiveServer, LiveServers } from './live-servers'
import { transportOf } from './server-config'
import { serverInfo } from './server-info'
import type { SignIns } from './sign-ins'
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

/** What the servers have to offer: to the model, and to the eyes of the user. */
export function createCatalogue(
  servers: LiveServers,
  known: ReturnType<typeof createKnownTools>,
  signIns: Pick<SignIns, 'stateOf'>,
) {
  /** By the folder that they are for. */
  const ready = new Map<string, Map<string, McpTool>>()

  /** One of the user's own stands before one of a project that has its name. */
  const isFor = ({ name, project }: LiveServer, folder: string): boolean =>
    project === null || (project === folder && servers.all.get(name)?.project !== null)

  const toolsOf = ({ id, name, config, connection }: LiveServer): McpTool[] => {
    const transport = transportOf(config)
    if (connection?.state !== 'ready' || transport === 'none') return []
    return connection.tools.flatMap((definition) => {
      const { change, denied, key } = known.look(id, config, definition)
      if (denied) return []
      return {
        server: name,
        definition,
        fullName: fullName(name, definition.name),
        transport,
        key,
        change,
        call: (args, options) => connection.call(definition.name, args, options),
      }
    })
  }

  return {
    /** Something is not what it was. */
    outdate: (): void => ready.clear(),
    /** By full name: the user's own, and those of a folder. The same map until something changes. */
    tools: (folder = ''): ReadonlyMap<string, McpTool> => {
      const known = ready.get(folder)
      if (known) return known
      const offered = [...servers.all.values()].filter((server) => isFor(server, folder)).flatMap(toolsOf)
      const made = new Map(offered.map((tool) => [tool.fullName, tool]))
      ready.set(folder, made)
      return made
    },
    /** The server that a tool of this name would belong to, whether it runs or not. */
    serverOf: (name: string, folder: string): LiveServer | undefined =>
      [...servers.all.values()].find((server) => isFor(server, folder) && name.startsWith(fullName(server.name, ''))),
    view: (): McpServerInfo[] =>
      [...servers.all.values()].map((server) => {
        const { config, connection, id, name, project } = server
        return serverInfo(server, {
          tools: connection?.tools.map((definition) => known.info(id, name, config, definition)) ?? [],
          hidden: !isFor(server, project ?? ''),
          signIn: signIns.stateOf(id, connection?.state === 'sign-in'),
        })
      }),
    /** A tool by the name that the user sees. */
    find: (id: string, name: string): { server: LiveServer; definition: McpDefinition } => {
      const server = servers.find(id)
      const definition = server.connection?.tools.find((each) => shownName(each.name) === name)
      if (!definition) throw new Error(`The server ${server.name} has no tool ${name} now`)
      return { server, definition }
    },
  }
}
