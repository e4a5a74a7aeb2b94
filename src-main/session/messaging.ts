import type { StopReason } from '../../src-preload/contract/events'
import { hostedAgentOf } from '../../src-preload/contract/hosted'
import type { Attachment, Part, TurnError } from '../../src-preload/contract/messages'
import { noUsage, type Session } from '../../src-preload/contract/sessions'
import { commandType } from '../../src-preload/contract/slash'
import { StorageError } from '../storage/storage-error'
import { endRequest } from './budget'
import { abortOpenCalls } from './finish-turn'
import { playHostedTurn } from './hosted/play'
import { callAgain } from './rerun'
import type { LiveTurn, RunnerCore, Watcher } from './runner-core'
import type { TurnOrigin } from './session-rows'
import { titleByModel } from './titles'
import { playTurn } from './turn'
import type { Runner, TurnEnd } from './types'

type Messaging = Pick<Runner, 'send' | 'sendAndWait' | 'steer' | 'editQueued' | 'removeQueued' | 'steerQueued' | 'stop'>

/** Messages to sessions: sent at once, queued while a turn runs, or put into that turn. */
export const createMessaging = (core: RunnerCore): Messaging => {
  const { store } = core.options

  const send = (
    sessionId: string,
    text: string,
    attachments: Attachment[],
    { watcher = null, origin = null }: { watcher?: Watcher | null; origin?: TurnOrigin | null } = {},
  ): string => {
    const session = ownSession(core, sessionId)
    // An open question from an earlier run blocks the session like a running turn.
    const busy = core.live.has(sessionId) || session.waiting > 0
    // Messages that were queued before a stop or a pause come first; this one goes behind them, and the queue moves on.
    if (busy || !store.queue.isEmpty(sessionId)) {
      const queued = store.durably(() => store.queue.add(sessionId, text, attachments, origin))
      if (watcher) core.watchers.set(queued, watcher)
      core.publishQueue(sessionId)
      if (!busy) sendNext(core, sessionId)
      return queued
    }
    const said = say(core, sessionId, text, attachments, { origin })
    startTurn(core, sessionId, watcher)
    return said
  }

  const stop = (sessionId: string): void => {
    const live = core.live.get(sessionId)
    if (live) {
      live.controller.abort(new DOMException('Stopped', 'AbortError'))
      return
    }
    abortOpenCalls(core, sessionId)
    core.refreshStatus(sessionId)
  }

  return {
    send: (sessionId, text, attachments) => send(sessionId, text, attachments),
    steer: (sessionId, text, attachments) => {
      const live = core.live.get(sessionId)
      if (!live || live.controller.signal.aborted) {
        send(sessionId, text, attachments)
        return
      }
      live.steer(text, attachments)
    },
    stop,
    sendAndWait: (sessionId, text, { origin = null, signal, started } = {}) => {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<TurnEnd>()
      let running = false
      const begin = (): void => {
        running = true
        started?.()
      }
      const watcher: Watcher = { started: begin, ended: resolve, gone: reject }
      const id = send(sessionId, text, [], { watcher, origin })
      const onAbort = (): void => {
        // The end of a stopped turn is reported like any other.
        if (running) {
          stop(sessionId)
          return
        }
        if (store.queue.remove(sessionId, id)) core.publishQueue(sessionId)
        takeWatcher(core, id)?.gone(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      return promise.finally(() => signal?.removeEventListener('abort', onAbort))
    },
    ...queueChanges(core),
  }
}

/** What the user does with messages that wait. */
const queueChanges = (core: RunnerCore): Pick<Messaging, 'editQueued' | 'removeQueued' | 'steerQueued'> => {
  const { store } = core.options
  return {
    editQueued: (sessionId, queuedId, text) => {
      if (!store.queue.edit(sessionId, queuedId, text)) throw new Error('This message has been sent already.')
      core.publishQueue(sessionId)
      return store.queue.list(sessionId)
    },
    removeQueued: (sessionId, queuedId) => {
      if (!store.queue.remove(sessionId, queuedId)) throw new Error('This message has been sent already.')
      takeWatcher(core, queuedId)?.gone(new Error('The message was withdrawn before it was answered.'))
      core.publishQueue(sessionId)
      return store.queue.list(sessionId)
    },
    steerQueued: (sessionId, queuedId) => {
      const session = ownSession(core, sessionId)
      const live = core.live.get(sessionId)
      // A turn that is being stopped, or a question from an earlier run, takes no messages: this one goes next.
      if (live ? live.controller.signal.aborted : session.waiting > 0) {
        if (!store.queue.moveToFront(sessionId, queuedId)) throw new Error('This message has been sent already.')
        core.publishQueue(sessionId)
        return
      }
      const queued = store.queue.take(sessionId, queuedId)
      if (!queued) throw new Error('This message has been sent already.')
      core.publishQueue(sessionId)
      // It becomes part of a turn that may answer other messages too, so whoever waited for this one hears no end.
      takeWatcher(core, queuedId)?.gone(new Error('The message was moved into a turn that was already running.'))
      if (live) live.steer(queued.text, queued.attachments, queued.id)
      else {
        say(core, sessionId, queued.text, queued.attachments, { id: queued.id })
        startTurn(core, sessionId)
      }
    },
  }
}

/** Throws if another Deckhand is working on the session, since two processes would overwrite each other. */
export const ownSession = ({ options: { store } }: RunnerCore, sessionId: string): Session => {
  // Saves earlier events first, so that they come before this message.
  store.unsaved.flush()
  const session = store.sessions.get(sessionId)
  if (store.runsElsewhere(sessionId)) throw new Error('Another running Deckhand is working on this session.')
  return session
}

interface Saying {
  /** The id that the message had in the queue. */
  id?: string
  /** It becomes part of the running turn. */
  steer?: boolean
  /** Who sends it, if it is not the user. */
  origin?: TurnOrigin | null
}

/** Saves a message to the session's model and publishes it. Returns its id. */
const say = (
  core: RunnerCore,
  sessionId: string,
  text: string,
  attachments: readonly Attachment[],
  { id, steer = false, origin = null }: Saying = {},
): string => {
  const { store, publish } = core.options
  const parts: Part[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...attachments.map(partOf)]
  const message = store.durably(() => {
    store.sessions.autoTitle(sessionId, text || (attachments[0]?.name ?? ''))
    // A message to a running turn does not change who began it.
    if (!steer) store.sessions.setOrigin(sessionId, origin)
    return store.messages.append({ sessionId, role: 'user', parts, ...(steer && { steer }), ...(id && { id }) })
  })
  publish({ type: 'message', message })
  return message.id
}

export const partOf = ({ name, mimeType, data }: Attachment): Part => {
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType, name }
  return { type: 'file', name, path: '', text: data, ...(mimeType === commandType && { command: true }) }
}

/** After these, the queue waits for the user; after any other end, its next message is sent. */
const pausesQueue: ReadonlySet<StopReason> = new Set(['stopped', 'limit', 'cap', 'failed', 'interrupted'])

/** Starts a turn, or does nothing if one is running. When it has ended, the queue continues. */
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
    steer: (text, attachments = [], id) => {
      say(core, sessionId, text, attachments, { steer: true, ...(id && { id }) })
      live.steered = true
    },
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

/** Prepares the cage that the commands of this turn may need while the model is thinking. */
const warmCages = ({ options }: RunnerCore, sessionId: string): void => {
  const session = options.store.sessions.get(sessionId)
  const mode = options.gate.modeOf(sessionId)
  if (session.sandbox || mode === 'ask' || mode === 'all') return
  options.cages?.warm(session, mode === 'workspace' ? ['read', 'write'] : ['read'])
}

/** Messages that arrived too late for the turn that just ended go first, then the queue. */
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
const sendNext = (core: RunnerCore, sessionId: string): void => {
  const next = core.options.store.queue.take(sessionId)
  if (!next) return
  core.publishQueue(sessionId)
  say(core, sessionId, next.text, next.attachments, { id: next.id, origin: next.origin })
  startTurn(core, sessionId, takeWatcher(core, next.id))
}

/** Reports a turn that failed while it was being ended, so that it does not seem to run forever. */
const giveUp = (core: RunnerCore, sessionId: string, error: unknown): void => {
  core.options.log.error('A turn could not be ended', { session: sessionId, error })
  const watcher = core.live.get(sessionId)?.watcher
  endRequest(core, sessionId)
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

const takeWatcher = (core: RunnerCore, messageId: string): Watcher | null => {
  const watcher = core.watchers.get(messageId) ?? null
  core.watchers.delete(messageId)
  return watcher
}
