import { nearest } from '../tools/nearest'
import type { Tool, Toolset } from '../tools/tool'
import { createClawftToolset } from './clawft'
import { createDeckhandToolset } from './deckhand'
import type { ToolsetDeps } from './deps'
import { createGsvToolset } from './gsv'

export type { ToolsetDeps }

const factories = new Map<string, (deps: ToolsetDeps) => Toolset>([
  ['deckhand', createDeckhandToolset],
  ['gsv', createGsvToolset],
  ['clawft', createClawftToolset],
])

export const toolsetNames: readonly string[] = [...factories.keys()]

export class UnknownToolset extends Error {
  constructor(name: string) {
    const [near] = nearest(name, toolsetNames, 1)
    const hint = near ? ` Did you mean ${near}?` : ''
    super(`There is no toolset named ${JSON.stringify(name)}. Known: ${toolsetNames.join(', ')}.${hint}`)
    this.name = 'UnknownToolset'
  }
}

/** A vocabulary by its name; throws `UnknownToolset`. */
export function createToolset(name: string, deps: ToolsetDeps): Toolset {
  const create = factories.get(name)
  if (!create) throw new UnknownToolset(name)
  const toolset = create(deps)
  return deps.mcp && !placesServers.has(name) ? withServers(toolset, deps.mcp) : toolset
}

/** Vocabularies that put the tools of MCP servers where they belong by themselves. */
const placesServers = new Set(['deckhand', 'clawft'])

/** In all others they come after its own. */
function withServers(own: Toolset, servers: () => ReadonlyMap<string, Tool>): Toolset {
  const { name, offered, maxResultBytes, cut, renderFailure } = own
  return {
    name,
    get tools() {
      return new Map([...own.tools, ...servers()])
    },
    ...(offered && { offered: (sessionId) => new Set([...offered(sessionId), ...servers().keys()]) }),
    ...(maxResultBytes !== undefined && { maxResultBytes }),
    ...(cut && { cut }),
    renderFailure,
  }
}
