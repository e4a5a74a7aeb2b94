import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import { secretReason } from '../approval/paths/secret-paths'
import { createChannelFacts } from '../channels/channel-facts'
import { createChannelRows } from '../channels/channel-rows'
import type { Engine, EngineOptions } from '../engine'
import { createPlainSettings } from '../git/plain-settings'
import { createHooks, type Hooks } from '../hooks/hooks'
import { createInstructions, type Instructions } from '../instructions/instructions'
import { createListeners } from '../listeners'
import { isHere } from '../nodes/shell/shell-node'
import { createReceipts, type Receipts } from '../receipts/receipts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox'
import { createSessionCages, type SessionCages } from '../sandbox/session-cages'
import { isAlive } from '../session/owner'
import { systemTimeZone } from '../system-time-zone'
import { createToolPrefixes } from '../tool-prefixes'
import { loginShellPath } from '../tools/shell/shell'
import { composeAgents } from './agents'
import { composeGate } from './gate'
import { composeModels } from './models'
import { composePlaces, type Places } from './places'
import { composeStorage, type Storage } from './storage'
import { composeWeb } from './web'

type Events = Pick<Engine, 'publish' | 'subscribe'>

export type Foundation = Awaited<ReturnType<typeof composeFoundation>>

/** Joins what sessions stand on, each part from those made before it: nothing here knows of a session that runs. */
export async function composeFoundation(options: EngineOptions) {
  const { dataDir, interactive } = options
  const { add: subscribe, tell: publish } = createListeners<[event: DeckhandEvent]>()
  const events: Events = { publish, subscribe }
  const shell = loginShellPath(process.env.SHELL)
  const spillDir = join(dataDir, 'results')
  const timeZone = zoneOf(options)

  const storage = await composeStorage(options)
  const { log, database, store, settings, settingsFile, secrets } = storage
  settingsFile.onChange((updated) => publish({ type: 'settings', settings: updated }))
  const models = composeModels({ ...options, storage, shell, publish })

  const prefixes = createToolPrefixes()
  const places = composePlaces({ ...options, storage, prefixes, publish })
  const { nodes, shellNodes } = places
  const outside = composeWeb({
    ...storage,
    network: models.network,
    prefixes,
    startServers: !storage.starts?.cautious,
    subscribe,
    publish,
  })
  const receipts = composeReceipts(dataDir, storage, places, events)
  const instructions = composeInstructions(dataDir, storage, events)
  const agents = composeAgents({
    dataDir,
    database,
    store,
    nodes,
    shellNodes,
    settings,
    providers: models.providers.list,
    channels: createChannelFacts(createChannelRows(database), secrets),
    timeZone,
    shell,
    instructions: instructions.forPrompt,
    elsewhere: () => (isHere(shellNodes.current()) ? null : shellNodes.current().label),
    publish,
    log,
  })
  const gitSettings = createPlainSettings({ home: homedir(), folder: join(dataDir, 'git-settings') })
  const { sandbox, cages } = composeCages({ dataDir, localNode: places.localNode, storage, publish })
  const hooks = composeHooks(storage, events)
  const gate = composeGate({
    store,
    settings,
    hasCage: cages.available,
    ownFolders: [dataDir],
    readableFolders: [spillDir, join(dataDir, 'processes')],
    interactive,
    nodes,
    shellNodes,
    gitSettings,
  })
  const own = { ...events, shell, spillDir, timeZone, storage, models, places, outside }
  return { ...own, receipts, instructions, agents, sandbox, cages, hooks, gate }
}

/** The first look at it loads tables that nothing else at the start needs. */
const zoneOf = (options: Pick<EngineOptions, 'timeZone'>): (() => string) => {
  let zone = options.timeZone
  return () => {
    zone ??= systemTimeZone()
    return zone
  }
}

const isSecret = (path: string): boolean => secretReason(path) !== null

const composeReceipts = (
  dataDir: string,
  { database, store, log }: Storage,
  { table, nodes }: Places,
  { publish }: Events,
): Receipts =>
  createReceipts({
    folder: join(dataDir, 'receipts'),
    dataDir,
    home: homedir(),
    database,
    owner: store.owner,
    isAlive,
    table,
    isLocal: nodes.registry.isLocal,
    isSecret,
    publish,
    note: (text) => publish({ type: 'note', text }),
    log,
  })

function composeInstructions(
  dataDir: string,
  { database, store }: Storage,
  { publish, subscribe }: Events,
): Instructions {
  const instructions = createInstructions({
    database,
    dataDir,
    home: homedir(),
    isSecret,
    workspaceOf: (sessionId) => store.sessions.get(sessionId).workspace,
    publish,
  })
  // What was told may be among what is hidden or gone since.
  const forgets = ['compaction', 'rewind']
  subscribe((event) => {
    if (event.type !== 'message') return
    const { sessionId, parts } = event.message
    if (parts.some((part) => part.type === 'notice' && forgets.includes(part.notice.kind)))
      instructions.forgetTold(sessionId)
  })
  return instructions
}

const composeHooks = ({ database, store, settingsFile, log }: Storage, { publish }: Events): Hooks =>
  createHooks({
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

/** Joins what holds commands: the sandbox that a session may have, and the cage for what nobody was asked about. */
function composeCages(
  options: Pick<Engine, 'dataDir' | 'publish'> & Pick<Places, 'localNode'> & { storage: Storage },
): { sandbox: Sandbox; cages: SessionCages } {
  const { dataDir, localNode, storage, publish } = options
  const home = homedir()
  const sandbox = createSandbox({ home, own: [dataDir], hosts: () => storage.settings().sandboxHosts })
  // Made now, since a cage shows only what is there when it is made.
  const needed = ['login-shell', 'git-settings'].map((name) => join(dataDir, name))
  for (const folder of needed) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const cages = createSessionCages({
    sandbox,
    node: localNode,
    home,
    own: [dataDir],
    needed,
    onProblem: (problem) => {
      storage.log.info('Commands that run without a question cannot be put into a cage', { problem })
      publish({ type: 'note', text: `You will be asked more often than necessary. ${problem}` })
    },
  })
  return { sandbox, cages }
}
