import { version } from '../package.json'
import { type Activity, composeActivity } from './compose/activity'
import { composeFoundation, type Foundation } from './compose/foundation'
import { beginLater } from './compose/later'
import { composeMovingIn } from './compose/moving-in'
import { openDoorLater } from './compose/tool-door'
import type { Engine, EngineOptions } from './engine'
import type { Logger } from './log'
import { exportSession } from './session/export'

/** The one place where the parts are made and joined, each from those made before it. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { dataDir, interactive, serves = false, drawn = Promise.resolve() } = options
  const base = await composeFoundation(options)
  const activity = composeActivity(base, options, () => engine)
  const { storage, models, places, outside, receipts, agents, sandbox, gate, publish } = base
  const { log, database, store, settingsFile, secrets } = storage
  const { sessions, services, toolsets } = activity

  const leaveTheRest = beginLater({
    ...places,
    dataDir,
    storage,
    providers: models.providers,
    mcp: outside.mcp,
    services,
    memory: agents.memory,
    receipts,
    spillDir: base.spillDir,
    interactive,
    serves,
    drawn,
  })
  const closeDoor = interactive && serves ? openDoorLater(() => engine, drawn) : null

  let reviewing: ReturnType<Engine['reviewing']> | null = null
  const engine: Engine = {
    dataDir,
    version,
    keyStore: secrets.kind,
    log,
    store,
    runner: sessions.runner,
    table: places.table,
    watches: places.watches,
    localNode: places.localNode,
    nodes: places.nodes,
    shellNodes: places.shellNodes,
    settings: settingsFile,
    providers: models.providers,
    signIns: models.signIns,
    agents,
    receipts,
    worktreeRows: places.worktreeRows,
    reviewing: () => {
      reviewing ??= import('./compose/review').then(({ composeReview }) =>
        composeReview({ ...engine, database, gate, shell: base.shell }),
      )
      return reviewing
    },
    instructions: base.instructions,
    hooks: base.hooks,
    hooksSettled: activity.hookEvents.settled,
    movingIn: composeMovingIn({
      database,
      dataDir,
      store,
      mcp: outside.mcp,
      settings: settingsFile,
      agents,
      createSession: sessions.createSession,
      keyStore: secrets.kind,
      publish,
    }),
    post: sessions.post,
    schedule: services.schedule,
    channels: services.channels,
    mcp: outside.mcp,
    web: outside.web,
    network: models.network,
    setProxyPassword: models.setProxyPassword,
    sandbox,
    slash: activity.slash,
    hosts: sessions.hosts,
    clients: sessions.clients,
    publish,
    createSession: sessions.createSession,
    openTerminal: sessions.openTerminal,
    runAgain: sessions.runAgain,
    updateSettings: settingsFile.update,
    toolset: toolsets.toolset,
    subAgentToolset: toolsets.subAgentToolset,
    decide: (access, sessionId) => gate.decide(access, { sessionId }),
    exportSession: (sessionId, format) => log.clean(exportSession(store, sessionId, format)),
    subscribe: base.subscribe,
    takeNotes: storage.takeNotes,
    takeRecovery: storage.takeRecovery,
    restoreBackup: database.restore,
    close: () => closeInOrder(log, [leaveTheRest, ...(closeDoor ? [closeDoor] : []), ...closingSteps(base, activity)]),
  }
  return engine
}

/** What comes in is closed first, then what runs, then what they write to. */
const closingSteps = (
  { storage, models, places, outside, agents, receipts, sandbox, cages }: Foundation,
  { sessions, services }: Activity,
): (() => unknown)[] => [
  services.close,
  outside.close,
  sessions.runner.close,
  sessions.hosts.close,
  agents.memory.close,
  places.nodes.close,
  places.shellNodes.close,
  places.watches.close,
  // Before the processes: a cage that ends with them is no problem to tell of.
  async () => {
    places.table.leave()
    return cages.close()
  },
  places.table.close,
  places.loginShell.close,
  receipts.close,
  sandbox.close,
  models.network.close,
  storage.database.close,
  () => storage.starts?.ended(),
]

/** One after the other. What fails is logged and keeps nothing else from being closed: processes must end, for one. */
async function closeInOrder(log: Logger, steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      log.error('A part of Deckhand could not be closed', { error })
    }
  }
}
