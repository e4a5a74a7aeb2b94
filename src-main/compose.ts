import { homedir } from 'node:os'
import { join } from 'node:path'
import { version } from '../package.json'
import type { DeckhandEvent } from '../src-preload/contract/events'
import type { Settings } from '../src-preload/contract/settings'
import { createGuide } from './agent/guide'
import { decide } from './approval/decide'
import { decideRemote } from './approval/decide-remote'
import { localFileView } from './approval/file-view'
import { backtestOffer } from './approval/rule-past'
import { secretReason } from './approval/secret-paths'
import type { Access, Decision, Policy } from './approval/types'
import type { Backends } from './backends/backends'
import { composeAgents } from './compose/agents'
import { composeBackends } from './compose/backends'
import { composeServices, type ServiceParts } from './compose/services'
import { composeWeb, type WebParts } from './compose/web'
import { openDatabase } from './database'
import type { Engine, EngineOptions } from './engine'
import { createMachines, type Machines } from './gateway/machines'
import { openLog } from './log'
import { readLogTail } from './log-tail'
import { createLocalNode } from './nodes/local'
import { createProcessTable } from './nodes/process-table'
import { createReceipts } from './receipts/receipts'
import { createRehearse } from './sandbox/rehearse'
import { createSandbox } from './sandbox/sandbox'
import { exportSession } from './session/export'
import { isAlive } from './session/owner'
import { createPost } from './session/post'
import { createRunner, type Runner } from './session/runner'
import { createStore } from './session/store'
import { sweep } from './session/sweep'
import { createProviders } from './settings/providers'
import { fileSecrets, memorySecrets } from './settings/secrets'
import { openSettings } from './settings/settings'
import { watchStarts } from './start-watch'
import { createSubAgents, type SubAgents } from './subagents/subagents'
import { readHostCommands } from './tools/host-commands'
import { isHere } from './tools/on-backend'
import { loginShell } from './tools/shell'
import type { Toolset } from './tools/tool'
import { createSubAgentToolset, createToolset, type ToolsetDeps } from './toolsets'

const tidyAfterMs = 30_000
const servicesAfterMs = 1_500
/** Nodes try again by themselves, so their door may open after the window has drawn. */
const gatewayAfterMs = 1_000
/** Other programs may start once the window has drawn. */
const mcpAfterMs = 500
/** Models on this machine are offered a moment after the window has drawn. */
const detectAfterMs = 300
/** Notes that change are read before every search anyway. */
const memoryAfterMs = 3_000

const crashLoopNote =
  'Deckhand stopped unexpectedly three times within a minute. This time it started without MCP servers, schedules, channels and other machines; they come back with the next start.'

/** The one place where the parts are made and joined. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { dataDir } = options
  const listeners = new Set<(event: DeckhandEvent) => void>()
  const publish = (event: DeckhandEvent): void => {
    for (const listener of listeners) listener(event)
  }

  const log = openLog(dataDir)
  // What runs for one command has nothing that starts by itself.
  const starts = options.interactive ? watchStarts(dataDir, Date.now()) : null
  const database = openDatabase(dataDir)
  const store = createStore(database)
  store.recover()
  const settings = openSettings(dataDir)
  const notes = [...database.notes, ...settings.notes]
  const tell = (note: string): void => void notes.push(note)
  if (starts?.cautious) tell(crashLoopNote)
  const secrets =
    options.secrets ??
    (options.keychain ? fileSecrets(join(dataDir, 'keys.json'), options.keychain, tell) : memorySecrets())
  const providers = createProviders({
    settings,
    secrets,
    guide: createGuide(),
    publish: (list) => publish({ type: 'providers', providers: list }),
    log,
    onKey: log.hide,
  })

  const localNode = createLocalNode({
    openHost: options.openHost,
    onHostLost: (count) => {
      log.error('The terminal host ended unexpectedly', { processes: count })
      const lost = count === 1 ? 'One process was lost' : `${count} processes were lost`
      publish({ type: 'note', text: `The terminals stopped unexpectedly. ${lost}; new ones will work.` })
    },
  })
  const table = createProcessTable({
    nodes: [localNode],
    otherNode: (id) => backends.get(id)?.node,
    logDir: join(dataDir, 'processes'),
    save: store.processes.save,
    load: store.processes.load,
    forget: store.processes.forget,
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
    isLocal: (node) => machines.registry.isLocal(node),
    isSecret: (path) => secretReason(path) !== null,
    publish,
    tell: (sessionId, text) => {
      // Whoever sent a sub-agent reckons with what it did.
      for (let id: string | null = sessionId; id !== null; id = store.sessions.find(id)?.parentId ?? null)
        runner.tell(id, text)
    },
    log,
  })

  const currentSettings = (): Settings => ({ ...settings.current(), ...options.overrides })
  const updateSettings = (patch: Partial<Settings>): Settings => {
    const updated = settings.update(patch)
    publish({ type: 'settings', settings: updated })
    machines.settingsChanged(patch)
    return updated
  }
  const backends: Backends = composeBackends({
    database,
    log,
    table,
    localNode,
    settings: currentSettings,
    takenIds: () => [...machines.registry.list(), ...outside.mcp.view()].map(({ id }) => id),
    publish,
  })
  const machines: Machines = createMachines({
    backends,
    database,
    log,
    version,
    dataDir,
    settings: currentSettings,
    updateSettings,
    table,
    localNode,
    publish,
    hasSession: (sessionId) => store.sessions.find(sessionId) !== null,
    takenIds: () => outside.mcp.view().map(({ id }) => id),
    ...(options.gatewayToken !== undefined && { sharedToken: options.gatewayToken }),
  })

  const spillDir = join(dataDir, 'results')
  const toolsets = new Map<string, Toolset>()
  const toolsetDeps = (): ToolsetDeps => ({
    table,
    setTodo: (sessionId, items) => runner.setTodo(sessionId, items),
    nodes: machines.registry,
    gateway: machines.gateway,
    backends,
    backend: backends.current,
    watched: options.interactive && options.serves === true,
    transfers: machines.transfers,
    post,
    subagents,
    sessionFacts: (sessionId) => {
      const session = store.sessions.find(sessionId)
      if (!session) return null
      const messages = store.messages.count(sessionId)
      return { session, messages, siblings: store.sessions.countOf(session.agentId) }
    },
    hostCommands: () => readHostCommands(settings.section('sandbox')),
    schedule: services.schedule,
    channels: services.channels,
    files: parts.files,
    skills: parts.skills,
    memory: parts.memory,
    config: parts.config,
    web: outside.web,
    toolSettings: () => settings.section('tools'),
    mcp: outside.mcpTools,
    taint: (sessionId) => services.channels.taint(sessionId),
    localLog: (lines) => readLogTail(dataDir, lines),
    agentOf: (sessionId) => store.sessions.find(sessionId)?.agentId ?? 'main',
  })
  const cached = (key: string, make: () => Toolset): Toolset => {
    const made = toolsets.get(key) ?? make()
    toolsets.set(key, made)
    return made
  }
  const toolset = (name: string): Toolset => cached(name, () => createToolset(name, toolsetDeps()))
  const subAgentToolset = (name: string): Toolset =>
    cached(`${name} for a sub-agent`, () => createSubAgentToolset(name, toolsetDeps()))
  const files = localFileView(homedir(), process.env.PATH ?? '')
  const shell = loginShell(process.env.SHELL)
  // The first look at it loads tables that nothing else at the start needs.
  let zone = options.timeZone
  const timeZone = (): string => {
    zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
    return zone
  }

  /** Where nobody can answer, what would ask is refused, with the reason that it asks for. */
  const judge = (wanted: Access, given: Policy): Decision => {
    const { access, policy } = services.govern(wanted, given)
    // `gsv` is the gateway itself: its own files and jobs are on this machine.
    const here = access.node === 'gsv' || machines.registry.isLocal(access.node)
    const decision = here
      ? decide(access, policy, files)
      : decideRemote(access, policy, {
          os: machines.registry.get(access.node)?.os ?? 'linux',
          home: backends.get(access.node)?.facts.home ?? machines.gateway.hub.link(access.node)?.runtime.home ?? '/',
        })
    if (options.interactive || decision.verdict !== 'ask') return decision
    return { ...decision, verdict: 'deny', reason: `it needs consent, and nobody is there to ask. ${decision.reason}` }
  }

  const parts = composeAgents({
    dataDir,
    database,
    store,
    machines,
    backends,
    settings: currentSettings,
    providers: providers.list,
    channels: () => services.channels.view(),
    channelOf: (sessionId) => services.channels.route(sessionId)?.channel,
    timeZone,
    shell,
    elsewhere: () => (isHere(backends.current()) ? null : backends.current().label),
    publish,
    log,
  })
  const sandbox = createSandbox({ home: homedir(), own: [dataDir], hosts: () => currentSettings().sandboxHosts })
  const runner: Runner = createRunner({
    store,
    publish,
    table,
    log,
    toolsetFor: ({ toolset: name, parentId }) => (parentId === null ? toolset(name) : subAgentToolset(name)),
    modelFor: providers.modelFor,
    decide: judge,
    backtest: (offer, access, policy, past) => backtestOffer(offer, access, policy, files, past),
    settings: currentSettings,
    receipts,
    sandbox,
    ...(options.interactive && { rehearse: createRehearse({ sandbox, table, shell }) }),
    systemPrompt: parts.prompt,
    thinkingFor: (session) => services.thinkingFor(session),
    spillDir,
    ownFolders: [dataDir],
    readableFolders: [spillDir, join(dataDir, 'processes')],
    interactive: options.interactive,
  })

  const createSession: Engine['createSession'] = (wish) => {
    const { defaultWorkspace, defaultToolset, defaultMode } = settings.current()
    return runner.createSession({
      ...wish,
      workspace: wish.workspace ?? defaultWorkspace,
      model: wish.model ?? providers.defaultModel(),
      toolset: wish.toolset ?? defaultToolset,
      mode: wish.mode ?? defaultMode,
    })
  }
  const subscribe: Engine['subscribe'] = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const post = createPost({ store, runner, subscribe, createSession, rules: () => ({}) })

  const subagents: SubAgents = createSubAgents({
    subscribe,
    sessions: {
      find: store.sessions.find,
      create: (child) => void runner.createSession(child),
      say: (sessionId, text, signal) => runner.sendAndWait(sessionId, text, { signal }),
      charge: (parentId, usage) => {
        if (!store.sessions.find(parentId)) return
        store.sessions.addSpending(parentId, usage, usage.cost)
        publish({ type: 'session', session: store.sessions.get(parentId) })
      },
    },
  })

  const services: ServiceParts = composeServices({
    database,
    store,
    runner,
    post,
    secrets,
    settings: currentSettings,
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
    settingsFile: settings,
    settings: currentSettings,
    secrets,
    nodeIds: () => machines.registry.list().map(({ id }) => id),
    taint: (sessionId) => services.channels.taint(sessionId),
    publish,
    log,
  })
  const startMcp = (): void =>
    void outside.mcp.start().catch((error: unknown) => log.error('Starting the MCP servers failed', { error }))

  const watchMemory = (): void =>
    void parts.memory.watch().catch((error: unknown) => log.warn('Watching the notes failed', { error }))

  // What the window can be drawn without begins by and by.
  const { interactive, serves = false } = options
  const calm = !starts?.cautious
  const timers = [
    interactive && setTimeout(() => void providers.detect(), detectAfterMs),
    interactive && calm && setTimeout(startMcp, mcpAfterMs),
    interactive && calm && setTimeout(machines.startIfNeeded, gatewayAfterMs),
    interactive && calm && serves && setTimeout(backends.start, gatewayAfterMs),
    calm && serves && setTimeout(services.start, servicesAfterMs),
    interactive && setTimeout(watchMemory, memoryAfterMs),
    interactive && setTimeout(tidy, tidyAfterMs),
  ]

  /** What no start should wait for. */
  function tidy(): void {
    Promise.all([database.backUp(), sweep({ store, table, spillDir })])
      .then(receipts.sweep)
      .catch((error: unknown) => log.error('Tidying up failed', { error }))
  }

  return {
    dataDir,
    version,
    keyStore: secrets.kind,
    log,
    store,
    runner,
    table,
    localNode,
    machines,
    backends,
    settings,
    providers,
    agents: parts,
    receipts,
    post,
    schedule: services.schedule,
    channels: services.channels,
    mcp: outside.mcp,
    sandbox,
    publish,
    createSession,
    openTerminal: (sessionId) =>
      table.start({
        sessionId,
        callId: null,
        command: shell,
        title: 'Terminal',
        argv: [shell, '-l'],
        cwd: store.sessions.get(sessionId).workspace,
        background: false,
        byUser: true,
      }),
    updateSettings,
    toolset,
    subAgentToolset,
    decide: (access, sessionId) =>
      judge(access, {
        mode: store.sessions.get(sessionId).mode,
        rules: store.rules.list(),
        sessionId,
        ownFolders: [dataDir],
        readableFolders: [spillDir, join(dataDir, 'processes')],
        now: Date.now(),
      }),
    exportSession: (sessionId, format) => log.clean(exportSession(store, sessionId, format)),
    subscribe,
    takeNotes: () => notes.splice(0),
    close: async () => {
      for (const timer of timers) if (timer) clearTimeout(timer)
      await services.close()
      await outside.close()
      await runner.close()
      await parts.memory.close()
      await machines.close()
      await backends.close()
      await table.close()
      await receipts.close()
      await sandbox.close()
      database.close()
      starts?.ended()
    },
  }
}
