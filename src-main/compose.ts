import { homedir } from 'node:os'
import { join } from 'node:path'
import { version } from '../package.json'
import type { DeckhandEvent } from '../src-preload/contract/events'
import { createGuide } from './agent/guide'
import { secretReason } from './approval/paths/secret-paths'
import { composeAgents } from './compose/agents'
import { composeGate } from './compose/gate'
import { beginLater } from './compose/later'
import { composePlaces } from './compose/places'
import { composeServices, type ServiceParts } from './compose/services'
import { composeSessions, type SessionParts } from './compose/sessions'
import { composeStorage } from './compose/storage'
import { composeToolsets } from './compose/toolsets'
import { composeWeb, type WebParts } from './compose/web'
import type { Engine, EngineOptions } from './engine'
import { createReceipts } from './receipts/receipts'
import { exportSession } from './session/export'
import { isAlive } from './session/owner'
import { createProviders } from './settings/providers'
import { isHere } from './tools/on-backend'
import { loginShell } from './tools/shell'

/**
 * The one place where the parts are made and joined. They know of one another in circles, so what is made later is
 * handed on as a function that looks it up.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { dataDir, interactive, serves = false } = options
  const listeners = new Set<(event: DeckhandEvent) => void>()
  const publish = (event: DeckhandEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const subscribe: Engine['subscribe'] = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const shell = loginShell(process.env.SHELL)
  const spillDir = join(dataDir, 'results')
  // The first look at it loads tables that nothing else at the start needs.
  let zone = options.timeZone
  const timeZone = (): string => {
    zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
    return zone
  }

  const storage = composeStorage(options)
  const { log, database, store, settings, settingsFile, secrets } = storage
  const updateSettings: Engine['updateSettings'] = (patch) => {
    const updated = settingsFile.update(patch)
    publish({ type: 'settings', settings: updated })
    machines.settingsChanged(patch)
    return updated
  }
  const providers = createProviders({
    settings: settingsFile,
    secrets,
    guide: createGuide(),
    publish: (list) => publish({ type: 'providers', providers: list }),
    log,
    onKey: log.hide,
  })

  const { localNode, table, watches, backends, machines } = composePlaces({
    ...options,
    storage,
    updateSettings,
    mcpIds: () => outside.mcp.view().map(({ id }) => id),
    publish,
  })

  const receipts = createReceipts({
    folder: join(dataDir, 'receipts'),
    dataDir,
    home: homedir(),
    database,
    owner: store.owner,
    isAlive,
    table,
    isLocal: machines.registry.isLocal,
    isSecret: (path) => secretReason(path) !== null,
    publish,
    tell: (sessionId, text) => {
      // Whoever sent a sub-agent relies on what it did.
      for (const id of store.sessions.lineage(sessionId)) runner.tell(id, text)
    },
    log,
  })

  const agents = composeAgents({
    dataDir,
    database,
    store,
    machines,
    backends,
    settings,
    providers: providers.list,
    channels: () => services.channels.view(),
    channelOf: (sessionId) => services.channels.route(sessionId)?.channel,
    timeZone,
    shell,
    elsewhere: () => (isHere(backends.current()) ? null : backends.current().label),
    publish,
    log,
  })

  const gate = composeGate({
    store,
    settings,
    ownFolders: [dataDir],
    readableFolders: [spillDir, join(dataDir, 'processes')],
    interactive,
    machines,
    backends,
  })
  const { toolset, subAgentToolset } = composeToolsets(() => ({
    dataDir,
    store,
    runner,
    table,
    watches,
    machines,
    backends,
    settings: settingsFile,
    agents,
    post,
    subagents,
    schedule: services.schedule,
    channels: services.channels,
    web: outside.web,
    mcpTools: outside.mcpTools,
    mcpServes: outside.mcpServes,
    watched: interactive && serves,
  }))
  const sessions: SessionParts = composeSessions({
    dataDir,
    storage,
    providers,
    table,
    watches,
    receipts,
    gate,
    toolset,
    subAgentToolset,
    systemPrompt: agents.prompt,
    thinkingFor: (session) => services.thinkingFor(session),
    shell,
    spillDir,
    interactive,
    publish,
    subscribe,
  })
  const { runner, post, subagents, sandbox, createSession } = sessions

  const services: ServiceParts = composeServices({
    database,
    store,
    runner,
    post,
    secrets,
    settings,
    createSession,
    timeZone,
    ...(options.clock && { clock: options.clock }),
    publish,
    subscribe,
    log,
  })

  const outside: WebParts = composeWeb({
    database,
    store,
    settingsFile,
    settings,
    secrets,
    nodeIds: () => machines.registry.list().map(({ id }) => id),
    taint: store.taint.add,
    startServers: !storage.starts?.cautious,
    subscribe,
    publish,
    log,
  })

  const leaveTheRest = beginLater({
    storage,
    providers,
    mcp: outside.mcp,
    machines,
    backends,
    services,
    memory: agents.memory,
    table,
    receipts,
    spillDir,
    interactive,
    serves,
    drawn: options.drawn ?? Promise.resolve(),
  })

  return {
    dataDir,
    version,
    keyStore: secrets.kind,
    log,
    store,
    runner,
    table,
    watches,
    localNode,
    machines,
    backends,
    settings: settingsFile,
    providers,
    agents,
    receipts,
    post,
    schedule: services.schedule,
    channels: services.channels,
    mcp: outside.mcp,
    sandbox,
    publish,
    createSession,
    openTerminal: sessions.openTerminal,
    updateSettings,
    toolset,
    subAgentToolset,
    decide: (access, sessionId) => gate.decide(access, { sessionId }),
    exportSession: (sessionId, format) => log.clean(exportSession(store, sessionId, format)),
    subscribe,
    takeNotes: storage.takeNotes,
    close: async () => {
      leaveTheRest()
      await services.close()
      await outside.close()
      await runner.close()
      await agents.memory.close()
      await machines.close()
      await backends.close()
      watches.close()
      await table.close()
      await receipts.close()
      await sandbox.close()
      database.close()
      storage.starts?.ended()
    },
  }
}
