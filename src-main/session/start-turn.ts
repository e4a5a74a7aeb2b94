import type { StopReason } from '../../src-preload/contract/events'
import { hostedAgentOf } from '../../src-preload/contract/hosted'
import type { TurnError } from '../../src-preload/contract/messages'
import { noUsage } from '../../src-preload/contract/sessions'
import { StorageError } from '../storage/storage-error'
import { playHostedTurn } from './hosted/play'
import { callAgain } from './rerun'
import type { LiveTurn, RunnerCore, Watcher } from './runner-core'
import { say } from './say'
import { titleByModel } from './titles'
import { playTurn } from './turn'
import type { TurnEnd } from './types'

/** After a turn that ended so, the queue waits for the user; after any other, its next message is sent. */
const pausesQueue: ReadonlySet<StopReason> = new Set(['stopped', 'limit', 'cap', 'failed', 'interrupted'])

/** Starts a turn, or does nothing if one is running. When it has ended, what waits goes next. */
export const startTurn = (core: RunnerCore, sessionId: string, watcher: Watcher | null = null): void => {
  if (core.isClosed() || core.live.has(sessionId)) return
  const live: LiveTurn = {
    sessionId,
    controller: new AbortController(),
    steered: false,
    flush: () => {},
    watcher,
    reruns: [],
    done: Promise.resolve(),
  }
  core.live.set(sessionId, live)
  watcher?.started()
  core.setStatus(sessionId, 'running')
  warmCages(core, sessionId)
  const { model } = core.options.store.sessions.get(sessionId)
  const play = hostedAgentOf(model) === null ? playTurn : playHostedTurn
  live.done = play(core, live)
    .then((outcome) => {
      if (core.isClosed()) return
      if (outcome.reason === 'done') void titleByModel(core, sessionId)
      continueWith(core, live, outcome.reason)
    })
    .catch((error) => giveUp(core, sessionId, error))
}

/** While the model thinks, the cage is made that its commands may need. */
const warmCages = ({ options }: RunnerCore, sessionId: string): void => {
  const session = options.store.sessions.get(sessionId)
  const mode = options.gate.modeOf(sessionId)
  if (session.sandbox || mode === 'ask' || mode === 'all') return
  options.cages?.warm(session, mode === 'workspace' ? ['read', 'write'] : ['read'])
}

/** What came too late for the turn that just ended goes first, then the queue. */
const continueWith = (core: RunnerCore, live: LiveTurn, reason: StopReason): void => {
  const { store } = core.options
  const { sessionId } = live
  if (pausesQueue.has(reason) || !store.sessions.find(sessionId)) return
  if (live.reruns.length > 0) {
    callAgain(core, sessionId, live.reruns)
    startTurn(core, sessionId)
    return
  }
  if (live.steered) startTurn(core, sessionId)
  else sendNext(core, sessionId)
}

/** Sends the first message that waits, if there is one, and starts the turn that answers it. */
export const sendNext = (core: RunnerCore, sessionId: string): void => {
  const next = core.options.store.queue.take(sessionId)
  if (!next) return
  core.publishQueue(sessionId)
  say(core, sessionId, next.text, next.attachments, { id: next.id, origin: next.origin })
  startTurn(core, sessionId, takeWatcher(core, next.id))
}

/** A turn that could not even be ended: the user must not look at one that never ends. */
const giveUp = (core: RunnerCore, sessionId: string, error: unknown): void => {
  core.options.log.error('A turn could not be ended', { session: sessionId, error })
  const watcher = core.live.get(sessionId)?.watcher
  core.spending.underWay.delete(sessionId)
  core.live.delete(sessionId)
  const end: TurnEnd = {
    type: 'turn-end',
    sessionId,
    reason: 'failed',
    text: '',
    usage: noUsage,
    error: endError(error),
  }
  core.options.publish(end)
  watcher?.ended(end)
}

const endError = (error: unknown): TurnError => {
  if (error instanceof StorageError) return error.turnError
  const message = `This turn could not be ended: ${error instanceof Error ? error.message : String(error)}`
  return { kind: 'internal', message, hint: 'The log has the details.', retryable: true }
}

export const takeWatcher = (core: RunnerCore, messageId: string): Watcher | null => {
  const watcher = core.watchers.get(messageId) ?? null
  core.watchers.delete(messageId)
  return watcher
}
