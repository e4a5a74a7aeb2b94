import { homedir } from 'node:os'
import { localFileView } from '../approval/paths/file-view'
import type { Engine, EngineOptions } from '../engine'
import type { LossFinder } from '../losses/losses'
import type { Receipts } from '../receipts/receipts'
import { nodesDiffer } from '../session/surroundings'
import type { Foundation } from './foundation'
import { listenForHooks } from './hook-events'
import { composeServices } from './services'
import { composeSessions } from './sessions'
import { composeSlash } from './slash'
import { composeToolsets } from './toolsets'

export type Activity = ReturnType<typeof composeActivity>

/**
 * Joins what goes on: sessions, what works without being spoken to, and the tools of both. `engine` is the whole, once
 * it is made.
 */
export function composeActivity(base: Foundation, options: EngineOptions, engine: () => Engine) {
  const { interactive, serves = false, dataDir } = options
  const { storage, models, places, outside, receipts, agents, publish, subscribe } = base
  const { log, store } = storage
  const { nodes, loginShell } = places
  const toolsets = composeToolsets()
  const sessions = composeSessions({
    ...base,
    ...places,
    providers: models.providers,
    losses: lossFinder(nodes.registry.isLocal, receipts),
    toolset: toolsets.toolset,
    subAgentToolset: toolsets.subAgentToolset,
    systemPrompt: agents.prompt.text,
    surroundings: agents.prompt.surroundings,
    nodesChanged: (known) => nodesDiffer(known, nodes.registry.connectedIds()),
    instructionsFor: base.instructions.forFiles,
    unknownAgent: agents.unknown,
    engine,
    runCap: options.runCap,
    stepsChosen: options.overrides?.maxIterations !== undefined,
    titles: options.titles,
    interactive,
  })
  const { runner, post, subagents, hosts, createSession } = sessions
  const hookEvents = listenForHooks({ hooks: base.hooks, runner, store, log }, subscribe)
  const services = composeServices({
    ...storage,
    network: models.network,
    runner,
    post,
    createSession,
    timeZone: base.timeZone,
    unknownAgent: agents.unknown,
    clock: options.clock,
    publish,
    subscribe,
  })
  toolsets.supply({
    ...places,
    ...outside,
    dataDir,
    store,
    runner,
    settings: storage.settingsFile,
    agents,
    post,
    subagents,
    schedule: services.schedule,
    channels: services.channels,
    watched: interactive && serves,
    startCommand: loginShell.start,
  })
  const slash = composeSlash({ dataDir, store, log, hosts, agents, mcp: outside.mcp })
  return { toolsets, sessions, services, hookEvents, slash }
}

/** What finds out what a call would destroy, loaded with the first question that it is for. */
function lossFinder(
  isLocal: (node: string) => boolean,
  receipts: Pick<Receipts, 'writersOf'>,
): () => Promise<LossFinder> {
  let loading: Promise<LossFinder> | null = null
  return () => {
    loading ??= import('../losses/losses').then(({ createLossFinder }) =>
      createLossFinder({
        files: localFileView(homedir(), process.env.PATH ?? ''),
        isLocal,
        writersOf: receipts.writersOf,
      }),
    )
    return loading
  }
}
