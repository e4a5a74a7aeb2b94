import { createCollisions } from '../collisions/collisions'
import type { Engine, EngineOptions } from '../engine'
import type { Hosts } from '../hosts/hosts'
import { terminalArgv } from '../nodes/windows-shell'
import type { Sandbox } from '../sandbox/sandbox'
import type { SessionCages } from '../sandbox/session-cages'
import { createTrialRunner } from '../sandbox/trial-runner'
import { createJobSessionSettings } from '../schedule/job-session-settings'
import type { Gate } from '../session/gate'
import { createPost, type Post } from '../session/post'
import { createRunner, type Runner } from '../session/runner'
import type { RunnerOptions } from '../session/types'
import type { Providers } from '../settings/providers'
import { createSubAgents, type SubAgents } from '../subagents/subagents'
import { createSessionClients, type SessionClients } from '../tools/client/session-client'
import { answeringModel } from './answering-model'
import { composeHosts } from './hosts'
import { followNeighbours } from './neighbours'
import type { Places } from './places'
import type { Storage } from './storage'

interface SessionParts extends Pick<Engine, 'createSession' | 'openTerminal' | 'runAgain'> {
  runner: Runner
  /** Sessions by their keys, and messages between them. */
  post: Post
  subagents: SubAgents
  /** Agents of other makers that play the turns of sessions. */
  hosts: Hosts
  /** The programs that sessions were opened from. */
  clients: SessionClients
}

interface SessionPartsOptions
  extends Pick<Engine, 'receipts' | 'publish' | 'subscribe' | 'toolset' | 'subAgentToolset'>,
    Pick<
      RunnerOptions,
      | 'systemPrompt'
      | 'surroundings'
      | 'nodesChanged'
      | 'instructionsFor'
      | 'hooks'
      | 'spillDir'
      | 'interactive'
      | 'stepsChosen'
    >,
    Pick<Places, 'table' | 'watches' | 'loginShell'> {
  storage: Storage
  providers: Providers
  gate: Gate
  sandbox: Sandbox
  cages: SessionCages
  losses: NonNullable<RunnerOptions['losses']>
  shell: string
  unknownAgent(id: string): string | null
  /** The whole, once it is made: hosted agents are served its tools. */
  engine(): Engine
  /** Whether sessions get titles from their models. */
  titles?: boolean
  /** What one command may cost. */
  runCap?: EngineOptions['runCap']
}

/** Joins what a conversation is made of: its turns, the sandbox of its commands, the post, and sub-agents. */
export function composeSessions(options: SessionPartsOptions): SessionParts {
  const { storage, sandbox, table, providers, gate, shell, spillDir, interactive, publish, subscribe } = options
  const { store, settings, log, database } = storage
  const jobSettings = createJobSessionSettings(database)

  const hosts = composeHosts(storage, publish, options.engine, sandbox)
  const rootOf = (id: string): string => store.sessions.lineage(id).at(-1) ?? id
  const collisions = createCollisions({ familyOf: rootOf })
  const clients = createSessionClients(rootOf)
  const runner = createRunner({
    store,
    publish,
    table,
    watches: options.watches,
    log,
    toolsetFor: ({ toolset, parentId, workspace }) =>
      parentId === null ? options.toolset(toolset, workspace) : options.subAgentToolset(toolset),
    modelFor: providers.modelFor,
    gate,
    settings,
    receipts: options.receipts,
    collisions,
    sandbox,
    cages: options.cages,
    clients,
    hosted: {
      hosts,
      table,
      startCommand: options.loginShell.start,
      receipts: options.receipts,
      clean: log.clean,
    },
    ...(interactive && { trialRunner: createTrialRunner({ sandbox, table, shell }), losses: options.losses }),
    systemPrompt: options.systemPrompt,
    surroundings: options.surroundings,
    nodesChanged: options.nodesChanged,
    effortFor: ({ key }) => jobSettings.effort(key),
    capFor: ({ key }) => {
      if (options.runCap) return { name: 'this run', allTurns: true, ...options.runCap }
      const dollars = jobSettings.maxCost(key)
      return dollars > 0 ? { name: 'a run of this job', dollars, tokens: 0 } : undefined
    },
    hooks: options.hooks,
    instructionsFor: options.instructionsFor,
    spillDir,
    interactive,
    stepsChosen: options.stepsChosen,
    titles: options.titles ?? false,
  })

  options.receipts.onUndone((sessionId, text, forUser) => {
    // Whoever sent a sub-agent relies on what it did.
    for (const id of store.sessions.lineage(sessionId)) runner.tell(id, text, forUser)
  })

  followNeighbours({ collisions, store, runner, receipts: options.receipts, table, subscribe })

  const createSession: Engine['createSession'] = (wish) => {
    const { defaultWorkspace, defaultToolset, defaultMode } = storage.settingsFile.current()
    return runner.createSession({
      ...wish,
      workspace: wish.workspace ?? defaultWorkspace,
      model: wish.model ?? providers.defaultModel(),
      toolset: wish.toolset ?? defaultToolset,
      mode: wish.mode ?? defaultMode,
    })
  }

  const subagents = createSubAgents({
    subscribe,
    sessions: {
      find: store.sessions.find,
      create: (child) => void runner.createSession(child),
      say: (sessionId, text, signal) => runner.sendAndWait(sessionId, text, { signal }),
      charge: (parentId, usage) => {
        if (!store.sessions.find(parentId)) return
        store.sessions.addSpending(parentId, usage)
        publish({ type: 'session', session: store.sessions.get(parentId) })
      },
    },
  })

  return {
    runner,
    hosts,
    clients,
    subagents,
    post: createPost({
      store,
      runner,
      subscribe,
      createSession,
      rules: () => ({}),
      unknownAgent: options.unknownAgent,
      answeringModel,
    }),
    createSession,
    ...userProcesses(options),
  }
}

/** What the user starts without an agent: a terminal, and a command that has ended. */
const userProcesses = ({
  storage: { store, settingsFile },
  table,
  shell,
}: SessionPartsOptions): Pick<SessionParts, 'openTerminal' | 'runAgain'> => ({
  openTerminal: (sessionId) => {
    const chosen = settingsFile.current().terminalShell || shell
    return table.start({
      sessionId,
      callId: null,
      command: chosen,
      title: 'Terminal',
      argv: terminalArgv(chosen),
      cwd: store.sessions.get(sessionId).workspace,
      background: false,
      byUser: true,
    })
  },
  runAgain: (processId) => {
    const ended = table.get(processId)
    if (!ended || !store.sessions.find(ended.sessionId)) throw new Error('There is no such process.')
    if (ended.status === 'running' || ended.status === 'survived')
      throw new Error('It is still running. Stop it first.')
    if (ended.node !== 'local') throw new Error(`It ran on ${ended.node}. Ask the agent to run it there again.`)
    const { sessionId, command, title, cwd, background } = ended
    // The command itself, not the terminal that it may have been typed into.
    const argv = title === 'Terminal' ? terminalArgv(command) : ([shell, '-c', command] as const)
    return table.start({ sessionId, callId: null, command, title, argv, cwd, background, byUser: true })
  },
})
