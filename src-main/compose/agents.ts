import { homedir } from 'node:os'
import { join } from 'node:path'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Provider } from '../../src-preload/contract/models'
import type { Settings } from '../../src-preload/contract/settings'
import { subAgentPrompt, systemPrompt } from '../agent/prompt'
import { createAgents } from '../agents/agents'
import { configView } from '../agents/config-view'
import { createOwnFiles } from '../agents/own-files'
import { createSessionPrompt } from '../agents/session-prompt'
import type { ChannelFacts } from '../channels/channel-facts'
import type { Database } from '../database'
import type { AgentParts } from '../engine'
import type { Nodes } from '../gateway/nodes'
import { capabilityIds } from '../gateway/runtime'
import type { Logger } from '../log'
import { createLocalEmbedder } from '../memory/embedder'
import { createMemory } from '../memory/memory'
import { findModel } from '../memory/model-folder'
import type { ShellNodes } from '../nodes/shell/shell-nodes'
import { homeOf } from '../session/home-session'
import type { Store } from '../session/store'
import { createFindPrograms } from '../skills/find-programs'
import { skillFolders } from '../skills/skill-folders'
import { createSkills } from '../skills/skills'
import { unknownAgent } from './unknown-agent'

interface AgentPartsOptions {
  dataDir: string
  database: Database
  store: Store
  nodes: Nodes
  shellNodes: ShellNodes
  settings(): Settings
  providers(): Provider[]
  channels: ChannelFacts
  timeZone(): string
  shell: string
  /** Where a vocabulary works that knows one place at a time; `null` for this computer. */
  elsewhere(): string | null
  /** The section of the prompt with the instructions of a folder. */
  instructions(folder: string): Promise<string>
  publish(event: DeckhandEvent): void
  log: Logger
}

/** Joins what makes an agent: its own files, its skills, its memory, and the prompt that comes of them. */
export function composeAgents(options: AgentPartsOptions): AgentParts {
  const { dataDir, store, nodes, shellNodes, settings, timeZone, publish, log } = options
  const files = createOwnFiles(dataDir, (_, path) =>
    publish(path.startsWith('skills/') ? { type: 'skills' } : { type: 'agents', agents: agents.list() }),
  )
  const agents = createAgents({
    dataDir,
    files,
    sessionsOf: store.sessions.countOf,
  })
  const config = (): object =>
    configView({
      settings: settings(),
      providers: options.providers(),
      channels: options.channels,
      gateway: nodes.gateway.info(),
      agents: agents.list().map(({ id }) => id),
      timeZone: timeZone(),
    })
  const skills = createSkills({
    files,
    hosts: () => nodes.registry.list().filter(({ state }) => state === 'connected'),
    probe: createFindPrograms({
      isLocal: nodes.registry.isLocal,
      here: async (bins, timeoutMs) => (await import('../node-agent/probe')).probeBins(bins, timeoutMs),
      there: (nodeId, bins, timeoutMs) =>
        shellNodes.get(nodeId)
          ? shellNodes.probe(nodeId, bins, timeoutMs)
          : nodes.gateway.probe(nodeId, bins, { timeoutMs }),
      onTrouble: (nodeId, error) => log.warn('Could not look for programs', { node: nodeId, error }),
    }),
    capabilities: capabilityIds,
    config,
    elsewhere: (workspace) => skillFolders(homedir(), workspace),
    entries: () => settings().skillEntries,
  })
  const memory = createMemory({
    database: options.database,
    files,
    agentsFolder: join(dataDir, 'agents'),
    embedder: createLocalEmbedder(findModel(dataDir)),
    timeZone,
    publish,
    log,
  })
  const elsewhere = (): { place?: string } => {
    const place = options.elsewhere()
    return place === null ? {} : { place }
  }
  const prompt = createSessionPrompt({
    files,
    skills: skills.eligible,
    instructions: options.instructions,
    base: ({ workspace, sandbox, toolset }, instructions) =>
      systemPrompt({
        ownTools: toolset === 'deckhand',
        ...(toolset === 'buddy' && elsewhere()),
        workspace,
        date: new Date().toDateString(),
        timeZone: timeZone(),
        shell: options.shell,
        ...(sandbox && { sandboxHosts: settings().sandboxHosts }),
        instructions,
      }),
    forChild: ({ workspace }, instructions) =>
      subAgentPrompt({
        workspace,
        date: new Date().toDateString(),
        timeZone: timeZone(),
        instructions,
      }),
    nodes: nodes.registry.list,
    rules: () => ({}),
    channelOf: (sessionId) => {
      const home = homeOf(store, sessionId)
      return options.channels.channelOf(sessionId) ?? (home ? options.channels.channelOf(home) : undefined)
    },
    timeZone,
  })
  return { files, agents, skills, memory, config, prompt, unknown: (id) => unknownAgent(id, agents.ids()) }
}
