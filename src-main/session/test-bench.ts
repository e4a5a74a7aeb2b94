import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gate, type ScriptedModel, scriptedModel } from '../../e2e/scripted-model'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Message } from '../../src-preload/contract/messages'
import type { ModelPrice } from '../../src-preload/contract/models'
import type { Settings } from '../../src-preload/contract/settings'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { openaiModel } from '../agent/openai'
import type { Access, Decision, Policy } from '../approval/types'
import { openDatabase } from '../database'
import { type Logger, silentLog } from '../log'
import { openInProcessHost } from '../nodes/host-link'
import { createLocalNode } from '../nodes/local'
import { createProcessTable } from '../nodes/process-table'
import { defaultSettings } from '../settings/settings'
import type { Toolset } from '../tools/tool'
import { createToolset } from '../toolsets'
import type { ToolsetDeps } from '../toolsets/deps'
import { createWatches } from '../watches/watches'
import { createGate, type GateOptions } from './gate'
import { createRunner, type RunnerOptions } from './runner'
import { createStore } from './store'

/**
 * The engine around the runner, with everything real but two: the model is scripted, over HTTP, and the gate knows only
 * what these tests are about.
 */
export interface Bench<Server extends ModelServer> {
  folder: string
  /** The path of a file there. */
  file(name: string): string
  model: Server
  /** A run of the app on the same data; starting another while one is open is a crash of the first. */
  start(options?: StartOptions): Run
  close(): Promise<void>
}

/** A scripted one; the tests bring it along. */
interface ModelServer {
  readonly baseUrl: string
  close(): Promise<void>
}

interface StartOptions {
  settings?: Partial<Settings>
  tools?: Toolset['tools']
  /** What the toolset has besides files and commands. */
  services?: Pick<ToolsetDeps, 'web' | 'mcp'>
  contextWindow?: number
  /** Null if it is not known. */
  price?: ModelPrice | null
  interactive?: boolean
  titles?: boolean
  capFor?: RunnerOptions['capFor']
  decide?: (access: Access, policy: Policy) => Decision
  backtest?: GateOptions['backtest']
  /** The name of the process in the database. */
  owner?: string
}

export type Run = ReturnType<typeof startRun>

export const createBench = <Server extends ModelServer>(model: Server): Bench<Server> => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-session-'))
  const runs: Run[] = []
  return {
    folder,
    file: (name) => join(folder, name),
    model,
    start: (options = {}) => {
      const run = startRun(folder, model.baseUrl, runs.length, options)
      runs.push(run)
      return run
    },
    close: async () => {
      for (const run of runs) await run.close()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A bench with a run of the app on it. */
export const startBench = async (): Promise<{ bench: Bench<ScriptedModel>; run: Run }> => {
  const bench = createBench(await scriptedModel())
  return { bench, run: bench.start() }
}

/** A new session in the middle of an answer, which goes on when the gate is opened. */
export const heldAt = async (model: ScriptedModel, run: Run, message: string, text: string) => {
  const held = gate()
  model.push([{ text }, { gate: held }])
  const id = run.newSession()
  run.runner.send(id, message, [])
  await held.reached
  return { id, held }
}

/** Allows reads, what a rule allows, and everything in mode `all`; asks for other commands. */
const simpleGate = (access: Access, policy: Policy): Decision => {
  const answer = { subCommands: [], ruleIds: [] as string[], offers: [], resources: [], targets: [] }
  if (policy.mode === 'all') return { ...answer, verdict: 'allow', reason: 'all is allowed' }
  if (access.command === undefined) return { ...answer, verdict: 'allow', reason: 'only reads' }
  const argv = access.command.split(' ')
  const rule = policy.rules.find(
    ({ scope, subject, match }) =>
      (scope === 'everywhere' || subject === policy.sessionId) &&
      match.kind === 'prefix' &&
      match.argv.every((word, index) => argv[index] === word),
  )
  if (rule) return { ...answer, verdict: 'allow', reason: rule.sentence, ruleId: rule.id, ruleIds: [rule.id] }
  const [program = ''] = argv
  const offer = { matches: [{ kind: 'prefix' as const, argv: [program] }], sentence: `Run ${program}` }
  return {
    ...answer,
    verdict: 'ask',
    reason: 'no rule allows it',
    offers: [
      { ...offer, scope: 'session' },
      { ...offer, scope: 'everywhere' },
    ],
  }
}

/** As on a new installation, with limits that a test can reach and nothing listening. */
const usual: Settings = {
  ...defaultSettings,
  defaultWorkspace: '/',
  maxIterations: 20,
  firstByteSeconds: 60,
  idleSeconds: 60,
  gatewayEnabled: false,
}

const startRun = (folder: string, baseUrl: string, count: number, options: StartOptions) => {
  const events: DeckhandEvent[] = []
  const errors: unknown[] = []
  let closed = false
  const arrivals = new Set<() => void>()
  const publish = (event: DeckhandEvent): void => {
    // As it was when it was told: rows live on.
    events.push(structuredClone(event))
    for (const listener of [...listeners]) listener(event)
    for (const arrived of [...arrivals]) arrived()
  }
  const listeners = new Set<(event: DeckhandEvent) => void>()
  const database = openDatabase(folder)
  // A pid that nobody has: to the next run this one is gone, as after a crash.
  const store = createStore(database, Date.now, options.owner ?? `999999999:${count}`)
  store.recover()
  const log: Logger = { ...silentLog, error: (message, fields) => errors.push([message, fields]) }
  const node = createLocalNode({ openHost: openInProcessHost })
  const table = createProcessTable({
    nodes: [node],
    logDir: join(folder, 'processes'),
    save: (row) => closed || store.processes.save(row),
    unsaved: store.unsaved,
    load: store.processes.load,
    forget: store.processes.forget,
    publish,
  })
  const watches = createWatches({ table, portsOf: () => null, log })
  const toolset = createToolset('deckhand', {
    table,
    watches,
    setTodo: (id, items) => runner.setTodo(id, items),
    ...options.services,
  })
  const settings: Settings = { ...usual, ...options.settings }
  const runner = createRunner({
    store,
    publish,
    table,
    watches,
    log,
    toolsetFor: () => (options.tools ? { ...toolset, tools: options.tools } : toolset),
    modelFor: (id) => {
      if (id !== 'scripted') throw new Error(`The model ${id} is not there any more.`)
      return {
        model: openaiModel({ baseUrl, key: () => null }),
        modelName: id,
        contextWindow: options.contextWindow ?? 100_000,
        ...(options.price !== null && { price: options.price ?? { input: 1, output: 2 } }),
      }
    },
    gate: createGate({
      store,
      settings: () => settings,
      judge: options.decide ?? simpleGate,
      backtest: options.backtest ?? (() => ({ total: 0, matched: 0, refused: 0 })),
      ownFolders: [join(folder, 'own')],
      readableFolders: [],
      interactive: true,
    }),
    settings: () => settings,
    systemPrompt: () => 'You are a test.',
    capFor: options.capFor,
    spillDir: join(folder, 'results'),
    interactive: options.interactive ?? true,
    titles: options.titles ?? false,
  })

  /** The first event, past or to come, that fits. */
  const event = async <Type extends DeckhandEvent['type']>(
    type: Type,
    fits: (event: Extract<DeckhandEvent, { type: Type }>) => boolean = () => true,
    from = 0,
  ): Promise<Extract<DeckhandEvent, { type: Type }>> => {
    const isIt = (candidate: DeckhandEvent): candidate is Extract<DeckhandEvent, { type: Type }> =>
      candidate.type === type && fits(candidate as Extract<DeckhandEvent, { type: Type }>)
    for (;;) {
      const found = events.slice(from).find(isIt)
      if (found) return found
      await new Promise<void>((resolve) => {
        const arrived = (): void => {
          arrivals.delete(arrived)
          resolve()
        }
        arrivals.add(arrived)
      })
    }
  }

  return {
    node,
    database,
    events,
    errors,
    store,
    table,
    runner,
    event,
    subscribe: (listener: (event: DeckhandEvent) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    newSession: (mode: 'safe' | 'all' | 'plan' = 'safe') =>
      runner.createSession({ workspace: folder, model: 'scripted', toolset: 'deckhand', mode }).id,
    /** The call that asks for approval of this command, or the next one that asks at all. */
    question: async (command?: string) => {
      const { call } = await event(
        'call',
        ({ call: { state } }) =>
          state.status === 'awaiting' && (command === undefined || state.question.command === command),
      )
      if (call.state.status !== 'awaiting') throw new Error('not a question')
      return call.state.question
    },
    turnEnd: async (sessionId: string, count = 1) => {
      await event('turn-end', (end) => {
        const ends = events.filter((each) => each.type === 'turn-end' && each.sessionId === sessionId)
        return end.sessionId === sessionId && ends.length >= count
      })
      const ends = events.filter((each) => each.type === 'turn-end').filter((each) => each.sessionId === sessionId)
      return ends[count - 1] as Extract<DeckhandEvent, { type: 'turn-end' }>
    },
    transcript: (sessionId: string) => store.messages.page(sessionId, undefined, 500),
    /** Leaves everything as it lies, as a crash would. */
    crash: () => {
      closed = true
      database.close()
    },
    close: async () => {
      if (closed) return
      closed = true
      await runner.close()
      await table.close()
      database.close()
    },
  }
}

/** What a message says, in one line. */
const sketch = (message: Message, calls: ToolCall[] = []): string => {
  const parts = message.parts.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'notice') return `(${part.notice.kind})`
    if (part.type === 'error') return `!${part.error.kind}`
    if (part.type === 'call') return `[${calls.find(({ id }) => id === part.callId)?.state.status}]`
    return `<${part.type}>`
  })
  return `${message.role}: ${parts.join(' ')}`
}

export const sketches = ({ messages, calls }: { messages: Message[]; calls: ToolCall[] }): string[] =>
  messages.map((message) => sketch(message, calls))
