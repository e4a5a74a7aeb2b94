import { homedir } from 'node:os'
import { join } from 'node:path'
import { version } from '../package.json'
import type { DeckhandEvent } from '../src-preload/contract/events'
import { secretReason } from './approval/paths/secret-paths'
import { createChannelFacts } from './channels/channel-facts'
import { createChannelRows } from './channels/channel-rows'
import { agentCommands } from './compose/agent-commands'
import { composeAgents } from './compose/agents'
import { composeCages } from './compose/cages'
import { closeInOrder } from './compose/close-in-order'
import { composeGate } from './compose/gate'
import { listenForHooks } from './compose/hook-events'
import { beginLater } from './compose/later'
import { lossFinder } from './compose/loss-finder'
import { mcpPrompts } from './compose/mcp-prompts'
import { composeModels } from './compose/models'
import { composeMovingIn } from './compose/moving-in'
import { composePlaces } from './compose/places'
import { composeServices } from './compose/services'
import { composeSessions } from './compose/sessions'
import { skillCommands } from './compose/skill-commands'
import { composeStorage } from './compose/storage'
import { openDoorLater } from './compose/tool-door'
import { composeToolsets } from './compose/toolsets'
import { composeWeb } from './compose/web'
import type { Engine, EngineOptions } from './engine'
import { createHooks } from './hooks/hooks'
import { createInstructions } from './instructions/instructions'
import { isHere } from './nodes/shell/shell-node'
import { createReceipts } from './receipts/receipts'
import { exportSession } from './session/export'
import { isAlive } from './session/owner'
import { nodesDiffer } from './session/surroundings'
import { commandFiles } from './slash/command-files'
import { createSlashCommands } from './slash/slash-commands'
import { createToolPrefixes } from './tool-prefixes'
import { loginShellPath } from './tools/shell/shell'

/** The one place where the parts are made and joined, each from those made before it. */
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
  const shell = loginShellPath(process.env.SHELL)
  const spillDir = join(dataDir, 'results')
  // The first look at it loads tables that nothing else at the start needs.
  let zone = options.timeZone
  const timeZone = (): string => {
    zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
    return zone
  }

  const storage = await composeStorage(options)
  const { log, database, store, settings, settingsFile, secrets } = storage
  settingsFile.onChange((updated) => publish({ type: 'settings', settings: updated }))
  const { network, providers, signIns, setProxyPassword } = composeModels({ ...options, storage, shell, publish })

  const prefixes = createToolPrefixes()
  const places = composePlaces({ ...options, storage, prefixes, publish })
  const { localNode, table, loginShell, watches, shellNodes, machines } = places
  const outside = composeWeb({
    network,
    database,
    store,
    settingsFile,
    settings,
    secrets,
    prefixes,
    startServers: !storage.starts?.cautious,
    subscribe,
    publish,
    log,
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
    note: (text) => publish({ type: 'note', text }),
    log,
  })
  const instructions = createInstructions({
    database,
    dataDir,
    home: homedir(),
    isSecret: (path) => secretReason(path) !== null,
    workspaceOf: (sessionId) => store.sessions.get(sessionId).workspace,
    publish,
  })
  subscribe((event) => {
    if (event.type !== 'message') return
    const { sessionId, parts } = event.message
    // What was told may be among what is hidden or gone since.
    const forgets = ['compaction', 'rewind']
    if (parts.some((part) => part.type === 'notice' && forgets.includes(part.notice.kind)))
      instructions.forgetTold(sessionId)
  })
  const agents = composeAgents({
    dataDir,
    database,
    store,
    machines,
    shellNodes,
    settings,
    providers: providers.list,
    channels: createChannelFacts(createChannelRows(database), secrets),
    timeZone,
    shell,
    instructions: instructions.forPrompt,
    elsewhere: () => (isHere(shellNodes.current()) ? null : shellNodes.current().label),
    publish,
    log,
  })

  const { sandbox, cages } = composeCages({ dataDir, localNode, storage, publish })
  const hooks = createHooks({
    database,
    own: () => settingsFile.section('hooks'),
    sessionOf: (sessionId) => {
      const session = store.sessions.find(sessionId)
      return (
        session && { workspace: session.workspace, mode: session.mode, messages: () => store.messages.count(sessionId) }
      )
    },
    publish,
    note: (_, text) => publish({ type: 'note', text }),
    log,
  })

  const gate = composeGate({
    store,
    settings,
    hasCage: cages.available,
    ownFolders: [dataDir],
    readableFolders: [spillDir, join(dataDir, 'processes')],
    interactive,
    machines,
    shellNodes,
  })
  const toolsets = composeToolsets()
  const sessions = composeSessions({
    storage,
    sandbox,
    cages,
    providers,
    table,
    watches,
    loginShell,
    receipts,
    losses: lossFinder(machines.registry.isLocal, receipts),
    gate,
    toolset: toolsets.toolset,
    subAgentToolset: toolsets.subAgentToolset,
    systemPrompt: agents.prompt.text,
    surroundings: agents.prompt.surroundings,
    nodesChanged: (known) => nodesDiffer(known, machines.registry.connectedIds()),
    instructionsFor: instructions.forFiles,
    hooks,
    unknownAgent: agents.unknown,
    engine: () => engine,
    ...(options.runCap && { runCap: options.runCap }),
    ...(options.titles && { titles: true }),
    shell,
    spillDir,
    interactive,
    publish,
    subscribe,
  })
  const { runner, post, subagents, hosts, createSession } = sessions
  const hookEvents = listenForHooks({ hooks, runner, store, log }, subscribe)
  const services = composeServices({
    network,
    database,
    store,
    runner,
    post,
    secrets,
    settings,
    createSession,
    timeZone,
    unknownAgent: agents.unknown,
    ...(options.clock && { clock: options.clock }),
    publish,
    subscribe,
    log,
  })
  toolsets.supply({
    dataDir,
    store,
    runner,
    table,
    watches,
    machines,
    shellNodes,
    settings: settingsFile,
    agents,
    post,
    subagents,
    schedule: services.schedule,
    channels: services.channels,
    web: outside.web,
    mcp: outside.mcp,
    mcpTools: outside.mcpTools,
    mcpServes: outside.mcpServes,
    watched: interactive && serves,
    startCommand: loginShell.start,
  })

  const slash = createSlashCommands({
    taint: store.taint.add,
    onTrouble: (error) => log.warn('Commands could not be listed', { error }),
  })
  slash.add(agentCommands(hosts))
  slash.add(commandFiles({ own: join(dataDir, 'commands'), home: homedir() }))
  slash.add(skillCommands(agents.skills))
  slash.add(mcpPrompts(outside.mcp))

  const leaveTheRest = beginLater({
    dataDir,
    storage,
    providers,
    mcp: outside.mcp,
    machines,
    shellNodes,
    services,
    memory: agents.memory,
    table,
    receipts,
    spillDir,
    interactive,
    serves,
    drawn: options.drawn ?? Promise.resolve(),
  })

  const closeDoor = interactive && serves ? openDoorLater(() => engine, options.drawn ?? Promise.resolve()) : null

  let reviewing: ReturnType<Engine['reviewing']> | null = null
  const engine: Engine = {
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
    shellNodes,
    settings: settingsFile,
    providers,
    signIns,
    agents,
    receipts,
    worktreeRows: places.worktreeRows,
    reviewing: () => {
      reviewing ??= import('./compose/review').then(({ composeReview }) =>
        composeReview({ ...engine, database, gate, shell }),
      )
      return reviewing
    },
    instructions,
    hooks,
    hooksSettled: hookEvents.settled,
    movingIn: composeMovingIn({
      database,
      dataDir,
      store,
      mcp: outside.mcp,
      settings: settingsFile,
      agents,
      createSession,
      keyStore: secrets.kind,
      publish,
    }),
    post,
    schedule: services.schedule,
    channels: services.channels,
    mcp: outside.mcp,
    web: outside.web,
    network,
    setProxyPassword,
    sandbox,
    slash,
    hosts,
    clients: sessions.clients,
    publish,
    createSession,
    openTerminal: sessions.openTerminal,
    runAgain: sessions.runAgain,
    updateSettings: settingsFile.update,
    toolset: toolsets.toolset,
    subAgentToolset: toolsets.subAgentToolset,
    decide: (access, sessionId) => gate.decide(access, { sessionId }),
    exportSession: (sessionId, format) => log.clean(exportSession(store, sessionId, format)),
    subscribe,
    takeNotes: storage.takeNotes,
    takeRecovery: storage.takeRecovery,
    restoreBackup: database.restore,
    close: () =>
      closeInOrder(log, [
        leaveTheRest,
        ...(closeDoor ? [closeDoor] : []),
        services.close,
        outside.close,
        runner.close,
        hosts.close,
        agents.memory.close,
        machines.close,
        shellNodes.close,
        watches.close,
        // Before the processes: a cage that ends with them is no problem to tell of.
        async () => {
          table.leave()
          return cages.close()
        },
        table.close,
        loginShell.close,
        receipts.close,
        sandbox.close,
        network.close,
        database.close,
        () => storage.starts?.ended(),
      ]),
  }
  return engine
}
