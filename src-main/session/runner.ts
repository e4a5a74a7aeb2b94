import type { Answer, Question } from '../../src-preload/contract/approval'
import type { StopReason } from '../../src-preload/contract/events'
import type { Attachment, Part, QueuedMessage } from '../../src-preload/contract/messages'
import type { Session } from '../../src-preload/contract/sessions'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { questionOf } from './call-rows'
import { branchAt, takeBackAnswer, takeBackFailure, undoCompaction } from './history'
import { fullOutput } from './output'
import { settlePause } from './pause'
import { createQuestions } from './questions'
import { callAgain, wasBlocked } from './rerun'
import { createSteps, type LiveTurn, type RunnerCore, type Watcher } from './runner-core'
import { createTrials } from './trials'
import { abortOpenCalls, playTurn } from './turn'
import type { Runner, RunnerOptions, TurnEnd, WaitOptions } from './types'
import { addNotice, listenToProcesses } from './wake'

export type {
  ModelChoice,
  PendingQuestion,
  Runner,
  RunnerOptions,
  SessionPatch,
  TurnEnd,
  TurnOrigin,
  WaitOptions,
} from './types'

const ruleFlushMs = 2000
/** After these the user has the word; otherwise what waits goes next. */
const pausesQueue: ReadonlySet<StopReason> = new Set(['stopped', 'failed', 'interrupted'])

/** Runs sessions: takes messages, plays turns, keeps the queue, puts questions. Everything is saved, then published. */
export const createRunner = (options: RunnerOptions): Runner => {
  const { store, publish } = options
  const steps = createSteps(options)

  const resume = (call: ToolCall, question: Question, answer: Answer): void => {
    const goesOn = question.kind !== 'loop' || settlePause(core, call.id, answer.decision !== 'deny') === 'continue'
    if (goesOn) startTurn(call.sessionId)
    else abortOpenCalls(core, call.sessionId)
  }

  /** Who waits for the answer to a message that is still in the queue. */
  const waiting = new Map<string, Watcher>()

  const takeWatcher = (messageId: string): Watcher | null => {
    const watcher = waiting.get(messageId) ?? null
    waiting.delete(messageId)
    return watcher
  }

  const startTurn = (sessionId: string, watcher: Watcher | null = null): void => {
    if (core.closed || core.live.has(sessionId)) return
    const controller = new AbortController()
    const live: LiveTurn = {
      sessionId,
      controller,
      steered: false,
      flush: () => {},
      watcher,
      reruns: [],
      done: Promise.resolve(),
    }
    core.live.set(sessionId, live)
    watcher?.started()
    store.sessions.setStatus(sessionId, 'running', store.owner)
    core.publishSession(sessionId)
    live.done = playTurn(core, live)
      .then((outcome) => {
        if (!core.closed) goOn(live, outcome.reason)
      })
      .catch((error) => giveUp(sessionId, error))
  }

  /** The disk is full or gone: nothing can be saved, but the user must not look at a turn that never ends. */
  const giveUp = (sessionId: string, error: unknown): void => {
    options.log.error('A turn could not be ended', { session: sessionId, error })
    const watcher = core.live.get(sessionId)?.watcher
    core.live.delete(sessionId)
    const message = `Deckhand could not save this session: ${error instanceof Error ? error.message : String(error)}`
    const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: 0, contextTokens: 0, contextWindow: 0 }
    const failure = { kind: 'internal' as const, message, hint: 'Is the disk full?', retryable: true }
    const end: TurnEnd = { type: 'turn-end', sessionId, reason: 'failed', text: '', usage, error: failure }
    publish(end)
    watcher?.ended(end)
  }

  /** What came too late for the turn that just ended goes first, then the queue. */
  const goOn = (live: LiveTurn, reason: StopReason): void => {
    if (pausesQueue.has(reason) || !store.sessions.find(live.sessionId)) return
    if (live.reruns.length > 0) {
      callAgain(core, live.sessionId, live.reruns)
      startTurn(live.sessionId)
      return
    }
    const next = live.steered ? null : store.queue.take(live.sessionId)
    if (next) {
      core.publishQueue(live.sessionId)
      say(live.sessionId, next.text, next.attachments, false, next.id)
    }
    if (next || live.steered) startTurn(live.sessionId, next && takeWatcher(next.id))
  }

  // One object, so that every part sees the same `closed`.
  const core: RunnerCore = Object.assign(steps, {
    startTurn,
    questions: createQuestions({
      store,
      clock: steps.clock,
      setState: steps.setState,
      originOf: (sessionId) => steps.live.get(sessionId)?.watcher?.origin?.label ?? null,
      resume,
    }),
    trials: createTrials({ store, rehearse: options.rehearse, setState: steps.setState, log: options.log }),
  })
  const stopListening = listenToProcesses(core)
  const ruleFlush = setInterval(() => {
    try {
      if (store.rules.flush()) core.publishRules()
    } catch (error) {
      options.log.warn('Could not save how often rules were used', { error })
    }
  }, ruleFlushMs)
  ruleFlush.unref()

  const say = (sessionId: string, text: string, attachments: Attachment[], steer: boolean, id?: string): string => {
    const parts: Part[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...attachments.map(partOf)]
    const message = store.durably(() => {
      store.sessions.autoTitle(sessionId, text || (attachments[0]?.name ?? ''))
      return store.messages.append({ sessionId, role: 'user', parts, ...(steer && { steer }), ...(id && { id }) })
    })
    publish({ type: 'message', message })
    return message.id
  }

  /** Two processes in one session would write over each other. */
  const mine = (sessionId: string): Session => {
    const session = store.sessions.get(sessionId)
    if (store.runsElsewhere(sessionId)) throw new Error('This session is at work in another run of Deckhand.')
    return session
  }

  const refuseWhileBusy = (sessionId: string): Session => {
    const session = mine(sessionId)
    if (core.live.has(sessionId)) throw new Error('The session is at work. Stop it first.')
    return session
  }

  const send = (
    sessionId: string,
    text: string,
    attachments: Attachment[],
    id?: string,
    watcher: Watcher | null = null,
  ): string => {
    const session = mine(sessionId)
    // A question of an earlier run holds the session as a running turn would.
    if (core.live.has(sessionId) || session.waiting > 0) {
      const queued = store.durably(() => store.queue.add(sessionId, text, attachments))
      if (watcher) waiting.set(queued, watcher)
      core.publishQueue(sessionId)
      return queued
    }
    const said = say(sessionId, text, attachments, false, id)
    startTurn(sessionId, watcher)
    return said
  }

  const sendAndWait = (sessionId: string, text: string, { origin, signal, started }: WaitOptions = {}) => {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<TurnEnd>()
    let running = false
    const begin = (): void => {
      running = true
      started?.()
    }
    const watcher: Watcher = { origin: origin ?? null, started: begin, ended: resolve, gone: reject }
    const id = send(sessionId, text, [], undefined, watcher)
    const onAbort = (): void => {
      // The end of a turn that is stopped is told like any other.
      if (running) {
        stop(sessionId)
        return
      }
      if (store.queue.remove(sessionId, id)) core.publishQueue(sessionId)
      takeWatcher(id)?.gone(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    return promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  const steer = (sessionId: string, text: string, attachments: Attachment[], id?: string): void => {
    const live = core.live.get(sessionId)
    if (!live || live.controller.signal.aborted) {
      send(sessionId, text, attachments, id)
      return
    }
    say(sessionId, text, attachments, true, id)
    live.steered = true
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

  const changed = (sessionId: string): QueuedMessage[] => {
    core.publishQueue(sessionId)
    return store.queue.list(sessionId)
  }

  return {
    createSession: (session) => core.publishSession(store.sessions.create(session).id),
    updateSession: (id, patch) => {
      store.sessions.update(id, patch)
      if (patch.mode !== undefined) {
        core.questions
          .recheck()
          .catch((error) => options.log.error('Could not look at waiting questions again', { error }))
      }
      return core.publishSession(id)
    },
    deleteSession: (id) => {
      core.live.get(id)?.controller.abort(new DOMException('Stopped', 'AbortError'))
      store.sessions.delete(id)
      publish({ type: 'session-removed', sessionId: id })
    },
    restoreSession: (id) => {
      store.sessions.restore(id)
      core.refreshStatus(id)
      return store.sessions.get(id)
    },

    send: (sessionId, text, attachments) => send(sessionId, text, attachments),
    sendAndWait,
    originOf: (sessionId) => core.live.get(sessionId)?.watcher?.origin ?? null,
    steer: (sessionId, text, attachments) => steer(sessionId, text, attachments),
    editQueued: (sessionId, queuedId, text) => {
      if (!store.queue.edit(sessionId, queuedId, text)) throw new Error('This message has been sent already.')
      return changed(sessionId)
    },
    removeQueued: (sessionId, queuedId) => {
      if (!store.queue.remove(sessionId, queuedId)) throw new Error('This message has been sent already.')
      takeWatcher(queuedId)?.gone(new Error('The message was taken back before it was answered.'))
      return changed(sessionId)
    },
    steerQueued: (sessionId, queuedId) => {
      const queued = store.queue.take(sessionId, queuedId)
      if (!queued) throw new Error('This message has been sent already.')
      core.publishQueue(sessionId)
      // Now it is the user who wants it answered, within a turn that answers other things as well.
      takeWatcher(queuedId)?.gone(new Error('The message was moved into a turn that was already running.'))
      steer(sessionId, queued.text, queued.attachments, queued.id)
    },

    page: (sessionId, beforeSeq, limit) => {
      core.live.get(sessionId)?.flush()
      return store.messages.page(sessionId, beforeSeq, limit)
    },

    stop,
    retry: (sessionId) => {
      if (refuseWhileBusy(sessionId).waiting > 0) throw new Error('The session waits for your answer.')
      takeBackFailure(core, sessionId)
      startTurn(sessionId)
    },
    regenerate: (sessionId) => {
      refuseWhileBusy(sessionId)
      takeBackAnswer(core, sessionId)
      startTurn(sessionId)
    },
    branch: (sessionId, messageId, text) => {
      const branch = branchAt(store, sessionId, messageId, text)
      startTurn(branch.id)
      return store.sessions.get(branch.id)
    },
    undoCompaction: (sessionId, messageId) => undoCompaction(core, sessionId, messageId),

    answer: (questionId, answer) => {
      const call = store.calls.byQuestion(questionId)
      if (call && store.sessions.find(call.sessionId)) mine(call.sessionId)
      core.questions.answer(questionId, answer)
    },
    questions: () =>
      store.calls.awaiting().flatMap((call) => {
        const question = questionOf(call)
        return question ? [{ question, call, session: store.sessions.get(call.sessionId) }] : []
      }),
    rehearse: (questionId) => core.trials.start(questionId),
    discardRehearsal: (questionId) => core.trials.discard(questionId),
    runOutside: (callId) => {
      const call = store.calls.get(callId)
      const { sessionId } = call
      if (!wasBlocked(call)) throw new Error('The sandbox did not get in the way of this.')
      if (mine(sessionId).waiting > 0) throw new Error('The session waits for your answer.')
      const live = core.live.get(sessionId)
      if (live) {
        live.reruns.push(callId)
        return
      }
      callAgain(core, sessionId, [callId])
      startTurn(sessionId)
    },
    revokeRule: (id) => {
      store.rules.revoke(id)
      return core.publishRules()
    },

    tell: (sessionId, text) => {
      if (!core.closed && store.sessions.find(sessionId)) addNotice(core, sessionId, { kind: 'event', text })
    },
    setTodo: (sessionId, items) => {
      store.sessions.setTodo(sessionId, items)
      publish({ type: 'todo', sessionId, items })
    },
    output: (callId) => fullOutput(options, callId),

    settled: async (sessionId) => {
      for (let live = core.live.get(sessionId); live; live = core.live.get(sessionId)) await live.done
    },
    close: async () => {
      if (core.closed) return
      stopListening()
      clearInterval(ruleFlush)
      store.rules.flush()
      core.closed = true
      const turns = [...core.live.values()]
      const closing = new Error('Deckhand closed before this was answered.')
      for (const watcher of [...waiting.values(), ...turns.map((live) => live.watcher)]) watcher?.gone(closing)
      for (const live of turns) live.controller.abort(new DOMException('Deckhand is closing', 'AbortError'))
      await Promise.all(turns.map((live) => live.done))
      await core.trials.close()
      store.leave()
    },
  }
}

const partOf = (attachment: Attachment): Part =>
  attachment.mimeType.startsWith('image/')
    ? { type: 'image', data: attachment.data, mimeType: attachment.mimeType, name: attachment.name }
    : { type: 'file', name: attachment.name, path: '', text: attachment.data }
