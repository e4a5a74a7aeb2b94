import type { Rule } from '../../src-preload/contract/approval'
import type { Session } from '../../src-preload/contract/sessions'
import type { ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import type { SandboxedCall } from '../sandbox/sandbox'
import { type CallFacts, hasEnded } from './call-rows'
import type { Questions } from './questions'
import type { Trials } from './trials'
import type { RunnerOptions, TurnEnd, TurnOrigin } from './types'

/** Somebody who waits for the turn that answers a message. */
export interface Watcher {
  origin: TurnOrigin | null
  started(): void
  ended(end: TurnEnd): void
  /** There will be no such turn, or nobody will hear of its end. */
  gone(reason: Error): void
}

/** A turn that is running in this process. */
export interface LiveTurn {
  sessionId: string
  controller: AbortController
  /** Something was said that the model has not read yet. */
  steered: boolean
  /** Saves and tells what the open answer has by now. */
  flush(): void
  watcher: Watcher | null
  /** Calls to be made once more, outside the sandbox, before the model is asked again. */
  reruns: string[]
  done: Promise<void>
}

/** What the parts of the runner share: the save-then-publish steps and the turns in flight. */
export interface RunnerCore {
  options: RunnerOptions
  clock(): number
  live: Map<string, LiveTurn>
  questions: Questions
  trials: Trials
  /** Of calls in the sandbox, by their ids, until their commands have ended. */
  sandboxed: Map<string, SandboxedCall>
  /** Set when the app goes down: from then on rows belong to the next run. */
  closed: boolean
  publishSession(sessionId: string): Session
  /** Answers with the call as it is then; null where nothing was changed. */
  setState(callId: string, state: ToolState, facts?: CallFacts): ToolCall | null
  /** Works out what the session is doing, and tells if that is news. */
  refreshStatus(sessionId: string): void
  publishRules(): Rule[]
  publishQueue(sessionId: string): void
  /** Starts a turn, or does nothing if one is running. */
  startTurn(sessionId: string): void
}

type Steps = Omit<RunnerCore, 'questions' | 'trials' | 'startTurn'>

export const createSteps = (options: RunnerOptions): Steps => {
  const { store, publish } = options
  /**
   * What a call is about is found by search, as a part of its message: not at once, since the call need not wait for it.
   * After a crash in between, the messages of all calls that were under way are read again.
   */
  const indexSoon = (messageId: string): void => {
    setImmediate(() => {
      if (steps.closed) return
      try {
        const message = store.messages.find(messageId)
        if (message) store.messages.index(message)
      } catch (error) {
        options.log.warn('Could not make a call known to the search', { message: messageId, error })
      }
    })
  }
  const steps: Steps = {
    options,
    clock: options.clock ?? Date.now,
    live: new Map(),
    sandboxed: new Map(),
    closed: false,
    publishSession: (sessionId) => {
      const session = store.sessions.get(sessionId)
      publish({ type: 'session', session })
      return session
    },
    setState: (callId, state, facts = {}) => {
      const before = store.calls.find(callId)
      // A tool that was left behind by a stop may still speak; its call has ended all the same.
      if (steps.closed || !before || hasEnded(before.state)) return null
      const call = store.calls.setState(callId, state, facts)
      if (facts.gist !== undefined) indexSoon(call.messageId)
      publish({ type: 'call', call })
      if (before.state.status === 'awaiting' || state.status === 'awaiting') steps.refreshStatus(before.sessionId)
      return call
    },
    refreshStatus: (sessionId) => {
      const session = store.sessions.find(sessionId)
      if (steps.closed || !session) return
      const running = steps.live.has(sessionId)
      const calm = session.status === 'interrupted' ? 'interrupted' : 'idle'
      const status = session.waiting > 0 ? 'waiting' : running ? 'running' : calm
      store.sessions.setStatus(sessionId, status, running ? store.owner : null)
      steps.publishSession(sessionId)
    },
    publishRules: () => {
      const rules = store.rules.list()
      publish({ type: 'rules', rules })
      return rules
    },
    publishQueue: (sessionId) => publish({ type: 'queue', sessionId, queue: store.queue.list(sessionId) }),
  }
  return steps
}
