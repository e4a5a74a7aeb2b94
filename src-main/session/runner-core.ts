import type { Rule } from '../../src-preload/contract/approval'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Attachment } from '../../src-preload/contract/messages'
import type { Session, SessionStatus } from '../../src-preload/contract/sessions'
import type { ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import type { Spent } from '../../src-preload/contract/usage'
import type { SandboxedCall } from '../sandbox/sandbox'
import { whenUnlocked } from '../storage/when-unlocked'
import { type CallFacts, hasEnded } from './call-rows'
import type { WorstCase } from './caps'
import type { HostedState } from './hosted/hosted-state'
import { createKeepState } from './keep-state'
import { createLossWatch, type LossWatch } from './losses'
import { createQuestions, type Questions } from './questions'
import type { RequestHead } from './request-head'
import { createTrials, type Trials } from './trials'
import type { RunnerOptions, TurnEnd } from './types'

/** Waits for the turn that answers a message. */
export interface Watcher {
  started(): void
  ended(end: TurnEnd): void
  /** There will be no such turn, or its end will not be reported. */
  gone(reason: Error): void
}

/** A turn that is running in this process. */
export interface LiveTurn {
  sessionId: string
  controller: AbortController
  /** A message has been added that the model has not read yet. */
  steered: boolean
  /** Adds a message to this turn; the model reads it with its next request. `id`: the one it had in the queue. */
  steer(text: string, attachments?: readonly Attachment[], id?: string): void
  /** Saves and publishes what has arrived of the answer that is being written. */
  flush(): void
  watcher: Watcher | null
  /** Calls to be made once more, outside the sandbox, before the model is asked again. */
  reruns: string[]
  done: Promise<void>
}

/** What the parts of the runner share: the save-then-publish steps and the turns that are running. */
export interface RunnerCore {
  options: RunnerOptions
  clock(): number
  live: Map<string, LiveTurn>
  /** Who waits for the answer to a message that is still in the queue, by the id of the message. */
  watchers: Map<string, Watcher>
  questions: Questions
  trials: Trials
  losses: LossWatch
  /** Calls that are being made, by their ids. */
  begun: Set<string>
  /** Calls in the sandbox, by their ids, until their commands have ended. */
  sandboxed: Map<string, SandboxedCall>
  /** What the requests of sessions begin with, the latest used last. */
  heads: Map<string, RequestHead>
  /** What was spent and raised in this run of Deckhand. */
  spending: {
    /** What a session had used when its turn began. */
    turnStarts: Map<string, Spent>
    /** The same for its first turn since the app was started. */
    firstStarts: Map<string, Spent>
    /** By how many times its own size a cap was raised. */
    raised: Map<string, number>
    /** The caps that the user has been warned about. */
    told: Set<string>
    /** What requests that are under way could take, by the session that makes them, or by an id of their own. */
    underWay: Map<string, WorstCase & { rootId: string }>
    /** Those that other processes know of. */
    announced: Set<string>
  }
  /** State of hosted agents between their turns, by session. */
  hostedStates: Map<string, HostedState>
  /** Whether the app is closing. From then on no rows are written: they belong to the next run. */
  isClosed(): boolean
  close(): void
  publishSession(sessionId: string): Session
  /** Tells of a call that was just saved: its row need not be read again before its state changes. */
  callMade(call: ToolCall): void
  /**
   * Returns the call as it is then; null where nothing was changed. What cannot be saved now is saved later:
   * `keep-state`.
   */
  setState(callId: string, state: ToolState, facts?: CallFacts): ToolCall | null
  /**
   * Runs `work`, which writes to the database, after everything that waits to be saved. While another program locks the
   * database it waits and says so; a full disk throws.
   */
  whenWritable<Result>(sessionId: string, signal: AbortSignal, work: () => Result): Promise<Result>
  /** Saves what has been published about calls but not written yet. */
  flushStates(): void
  /** Saves, now or later, what the session is doing, and publishes it. */
  setStatus(sessionId: string, status: SessionStatus): void
  /** Works out what the session is doing, saves it and publishes it. */
  refreshStatus(sessionId: string): void
  publishRules(): Rule[]
  publishQueue(sessionId: string): void
}

export const createRunnerCore = (options: RunnerOptions): RunnerCore => {
  const { store, publish, clock = Date.now } = options
  const live = new Map<string, LiveTurn>()
  const states = createKeepState(store, clock)
  let closed = false

  const publishSession = (sessionId: string): Session => {
    const session = store.sessions.get(sessionId)
    publish({ type: 'session', session })
    return session
  }

  const refreshStatus = (sessionId: string): void => {
    const session = store.sessions.find(sessionId)
    if (closed || !session) return
    const running = live.has(sessionId)
    const calm = session.status === 'interrupted' ? 'interrupted' : 'idle'
    setStatus(sessionId, session.waiting > 0 ? 'waiting' : running ? 'running' : calm)
  }

  const setStatus = (sessionId: string, status: SessionStatus): void => {
    const owner = live.has(sessionId) ? store.owner : null
    const saved = store.unsaved.save(`session:${sessionId}`, () => store.sessions.setStatus(sessionId, status, owner))
    publish({ type: 'session', session: { ...store.sessions.get(sessionId), ...(!saved && { status }) } })
  }

  const whenWritable: RunnerCore['whenWritable'] = (sessionId, signal, work) => {
    const waiting = (secondsLeft: number): void => publish(waitsForLock(sessionId, secondsLeft))
    const flushAndWork = () => {
      store.unsaved.flush()
      return work()
    }
    return whenUnlocked(flushAndWork, { signal, waiting })
  }

  const setState: RunnerCore['setState'] = (callId, state, facts = {}) => {
    const before = states.find(callId)
    // A tool that ignored a stop may still report a result, but its call has already ended.
    if (closed || !before || hasEnded(before.state)) return null
    const call = states.keep(before, state, facts)
    if (!call) return null
    // The search finds a message by what its calls are about.
    if (facts.gist !== undefined) store.messages.search.add(call.messageId)
    publish({ type: 'call', call })
    if (before.state.status === 'awaiting' || state.status === 'awaiting') refreshStatus(before.sessionId)
    return call
  }

  return {
    options,
    clock,
    live,
    watchers: new Map(),
    questions: createQuestions({ store, clock, setState, whenWritable }),
    losses: createLossWatch({ store, finder: options.losses, setState, log: options.log }),
    begun: new Set(),
    trials: createTrials({ store, trialRunner: options.trialRunner, setState, log: options.log }),
    sandboxed: new Map(),
    heads: new Map(),
    spending: {
      turnStarts: new Map(),
      firstStarts: new Map(),
      raised: new Map(),
      told: new Set(),
      underWay: new Map(),
      announced: new Set(),
    },
    hostedStates: new Map(),
    isClosed: () => closed,
    close: () => {
      states.flush()
      closed = true
    },
    publishSession,
    callMade: states.remember,
    setState,
    flushStates: states.flush,
    whenWritable,
    setStatus,
    refreshStatus,
    publishRules: () => {
      const rules = store.rules.list()
      publish({ type: 'rules', rules })
      return rules
    },
    publishQueue: (sessionId) => publish({ type: 'queue', sessionId, queue: store.queue.list(sessionId) }),
  }
}

const waitsForLock = (sessionId: string, secondsLeft: number): DeckhandEvent => ({
  type: 'waiting',
  sessionId,
  phase: 'storage',
  secondsLeft,
  attempt: 1,
  reason: 'Waiting for the database, which another program has locked…',
})
