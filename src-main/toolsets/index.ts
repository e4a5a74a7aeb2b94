import { nearest } from '../nearest'
import type { Tool, Toolset } from '../tools/tool'
import { createBuddyToolset } from './buddy/buddy'
import { createClawftToolset } from './clawft/clawft'
import { createDeckhandToolset } from './deckhand/deckhand'
import { type SomeToolsetDeps, type ToolsetDeps, withoutServices } from './deps'
import { createGsvToolset } from './gsv/gsv'
import { createMiclawSubAgentToolset, createMiclawToolset } from './miclaw/miclaw'
import { type ToolsetName, toolsetNames } from './names'

const factories: Readonly<Record<ToolsetName, (deps: ToolsetDeps) => Toolset>> = {
  deckhand: createDeckhandToolset,
  gsv: createGsvToolset,
  clawft: createClawftToolset,
  miclaw: createMiclawToolset,
  buddy: createBuddyToolset,
}

export class UnknownToolset extends Error {
  constructor(name: string) {
    const [near] = nearest(name, toolsetNames, 1)
    const hint = near ? ` Did you mean ${near}?` : ''
    super(`There is no toolset named ${JSON.stringify(name)}. Known: ${toolsetNames.join(', ')}.${hint}`)
    this.name = 'UnknownToolset'
  }
}

/** A vocabulary by its name; throws `UnknownToolset`. */
export function createToolset(name: string, given: SomeToolsetDeps): Toolset {
  const known = toolsetNames.find((each) => each === name)
  if (!known) throw new UnknownToolset(name)
  const deps = withoutServices(given)
  const own = factories[known](deps)
  const toolset = deps.mcp && !placesServers.has(name) ? withServers(own, deps.mcp) : own
  const asks = [own.whyMissing, deps.whyMissing].filter((ask) => ask !== undefined && ask !== null)
  if (asks.length > 0)
    toolset.whyMissing = async (...asked) => {
      for (const ask of asks) {
        const why = await ask(...asked)
        if (why !== null) return why
      }
      return null
    }
  return toolset
}

/** A sub-agent's part of a vocabulary: the tools that read, and none of a server, even if it calls them read-only. */
export function createSubAgentToolset(name: string, given: SomeToolsetDeps): Toolset {
  if (name === 'miclaw') return createMiclawSubAgentToolset(withoutServices(given))
  const whole = createToolset(name, { ...given, mcp: null, whyMissing: null })
  const { maxResultBytes, maxIterations, cut, renderFailure } = whole
  const isFor = forSubAgents.get(name)
  return {
    name,
    get tools() {
      return new Map([...whole.tools].filter(([tool, { readOnly }]) => isFor?.(tool) ?? readOnly))
    },
    maxResultBytes,
    maxIterations,
    cut,
    renderFailure,
  }
}

const forSubAgents = new Map<string, (tool: string) => boolean>([
  // The session's mode prevents `Memory` from writing.
  ['deckhand', (tool) => ['Read', 'Glob', 'Grep', 'List', 'Time', 'Memory'].includes(tool)],
  ['gsv', (tool) => /__(?:Read|Glob|Grep|ReadFile|ListFiles)$/.test(tool)],
  ['clawft', (tool) => ['read_file', 'list_directory', 'memory_read'].includes(tool)],
  ['buddy', (tool) => ['read_file', 'time'].includes(tool)],
])

/** Vocabularies that add the tools of MCP servers by themselves. */
const placesServers = new Set(['deckhand', 'clawft'])

/** In all others the servers' tools follow the vocabulary's own. */
function withServers(own: Toolset, servers: () => ReadonlyMap<string, Tool>): Toolset {
  const { name, offered, maxResultBytes, maxIterations, cut, exitMessage, renderFailure } = own
  return {
    name,
    get tools() {
      return new Map([...own.tools, ...servers()])
    },
    ...(offered && { offered: (sessionId) => new Set([...offered(sessionId), ...servers().keys()]) }),
    maxResultBytes,
    maxIterations,
    cut,
    exitMessage,
    renderFailure,
  }
}
