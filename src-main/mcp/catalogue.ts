import { isDeepStrictEqual } from 'node:util'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { McpServerInfo } from '../../src-preload/contract/mcp'
import type { CallOptions, Connection } from './connection-types'
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
  /** What a permission applies to: exactly this definition behind exactly this command or address. */
  key: string
  /** The difference from the definition that the user knows, as a diff; `null` if there is none. */
  change: { before: string; after: string } | null
  call(args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>
}

/** What was allowed was the tool as it was described then; its server may have replaced it while the user was asked. */
function refuseChanged({ state, tools }: Connection, server: string, definition: McpDefinition): void {
  if (state !== 'ready') return
  const now = tools.find(({ name }) => name === definition.name)
  if (isDeepStrictEqual(now, definition)) return
  const what = `The MCP server ${server} has ${now ? 'changed' : 'withdrawn'} this tool since the call was decided on`
  throw new Error(`${what}, so nothing was sent.${now ? ' Call it again if it still does what you need.' : ''}`)
}

/** The tools of all servers, for the model and for the user. */
export type Catalogue = ReturnType<typeof createCatalogue>

export function createCatalogue(
  servers: LiveServers,
  known: ReturnType<typeof createKnownTools>,
  signIns: Pick<SignIns, 'stateOf'>,
) {
  /** By the folder they apply to. */
  const ready = new Map<string, Map<string, McpTool>>()

  /** A server of the user's own hides a project's server of the same name. */
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
        call: async (args, options) => {
          refuseChanged(connection, name, definition)
          return connection.call(definition.name, args, options)
        },
      }
    })
  }

  return {
    /** Call this when a server or tool has changed. */
    outdate: (): void => ready.clear(),
    /** By full name: the user's own tools, and those of the folder. Returns the same map until something changes. */
    tools: (folder = ''): ReadonlyMap<string, McpTool> => {
      const known = ready.get(folder)
      if (known) return known
      const offered = [...servers.all.values()].filter((server) => isFor(server, folder)).flatMap(toolsOf)
      const made = new Map(offered.map((tool) => [tool.fullName, tool]))
      ready.set(folder, made)
      return made
    },
    /** Servers that can be asked now: the user's own, and those of the folder. */
    running: (folder: string) =>
      [...servers.all.values()]
        .filter((server) => isFor(server, folder))
        .flatMap(({ id, name, connection }) => (connection?.state === 'ready' ? [{ id, name, connection }] : [])),
    /** The server that a tool of this name would belong to, running or not. */
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
    /** Finds a tool by the name that the user sees. */
    find: (id: string, name: string): { server: LiveServer; definition: McpDefinition } => {
      const server = servers.find(id)
      const definition = server.connection?.tools.find((each) => shownName(each.name) === name)
      if (!definition) throw new Error(`The server ${server.name} has no tool ${name} now`)
      return { server, definition }
    },
  }
}
