import type { McpResource } from '../../src-preload/contract/mcp'
import type { Attachment } from '../../src-preload/contract/messages'
import type { Logger } from '../log'
import type { createCatalogue } from './catalogue'
import type { LiveServers } from './live-servers'
import type { McpPrompt } from './prompts'
import { cleanResources } from './resources'

/** A prompt that can be used now. */
interface ServerPrompt {
  server: string
  prompt: McpPrompt
  get(args: Record<string, string>, signal: AbortSignal): Promise<{ text: string; attachments: Attachment[] }>
}

/** What servers offer to the user, besides the tools for the model. */
export interface Offers {
  /** Prompts of the running servers: the user's own, and those of the folder. */
  prompts(folder: string): ServerPrompt[]
  /** The resources of the running servers; a server that does not answer is left out. */
  resources(folder: string, signal: AbortSignal): Promise<McpResource[]>
  readResource(id: string, uri: string, signal: AbortSignal): Promise<Attachment[]>
}

export const createOffers = (
  catalogue: Pick<ReturnType<typeof createCatalogue>, 'running'>,
  servers: Pick<LiveServers, 'find'>,
  log: Logger,
): Offers => ({
  prompts: (folder) =>
    catalogue.running(folder).flatMap(({ name, connection }) =>
      connection.prompts.map((prompt) => ({
        server: name,
        prompt,
        get: (args: Record<string, string>, signal: AbortSignal) => connection.prompt(prompt.name, args, signal),
      })),
    ),
  resources: async (folder, signal) => {
    const lists = await Promise.all(
      catalogue.running(folder).map(async ({ id, name, connection }) => {
        try {
          return cleanResources(id, await connection.resources(signal))
        } catch (error) {
          log.warn('The resources of an MCP server could not be listed', { server: name, error })
          return []
        }
      }),
    )
    return lists.flat()
  },
  readResource: async (id, uri, signal) => {
    const { connection, name } = servers.find(id)
    if (!connection) throw new Error(`The MCP server ${name} is switched off`)
    return connection.read(uri, signal)
  },
})
