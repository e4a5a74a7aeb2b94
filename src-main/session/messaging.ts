import type { Attachment } from '../../src-preload/contract/messages'
import type { Session } from '../../src-preload/contract/sessions'
import { abortOpenCalls } from './finish-turn'
import type { RunnerCore, Watcher } from './runner-core'
import { say } from './say'
import type { TurnOrigin } from './session-rows'
import { sendNext, startTurn, takeWatcher } from './start-turn'
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
    // A question of an earlier run holds the session as a running turn would.
    const busy = core.live.has(sessionId) || session.waiting > 0
    // What was queued before a stop or a pause was said first. This goes behind it, and all of it moves on.
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
      say(core, sessionId, text, attachments, { steer: true })
      live.steered = true
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
        // The end of a turn that is stopped is told like any other.
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
      // Nothing can be said into a turn that is being stopped, or over a question of an earlier run: it goes next.
      if (live ? live.controller.signal.aborted : session.waiting > 0) {
        if (!store.queue.moveToFront(sessionId, queuedId)) throw new Error('This message has been sent already.')
        core.publishQueue(sessionId)
        return
      }
      const queued = store.queue.take(sessionId, queuedId)
      if (!queued) throw new Error('This message has been sent already.')
      core.publishQueue(sessionId)
      // Now it is the user who wants it answered, within a turn that may answer other things as well.
      takeWatcher(core, queuedId)?.gone(new Error('The message was moved into a turn that was already running.'))
      say(core, sessionId, queued.text, queued.attachments, { id: queued.id, steer: live !== undefined })
      if (live) live.steered = true
      else startTurn(core, sessionId)
    },
  }
}

/** The session, unless another run of Deckhand works on it: two processes in one session would write over each other. */
export const ownSession = ({ options: { store } }: RunnerCore, sessionId: string): Session => {
  // What happened before comes before what is said now.
  store.unsaved.flush()
  const session = store.sessions.get(sessionId)
  if (store.runsElsewhere(sessionId)) throw new Error('Another running Deckhand is working on this session.')
  return session
}
