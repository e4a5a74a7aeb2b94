import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '../../src-preload/contract/sessions'
import { askModel } from './ask-model'
import { spendingOf } from './budget'
import { questionOf } from './call-rows'
import { executeCall } from './execute'
import { abortOpenCalls } from './finish-turn'
import { branchAt, takeBackAnswer, takeBackFailure, undoCompaction } from './history'
import { agentActions, branchAgent } from './hosted/agent-actions'
import { dispatchFor, permitTool } from './hosted/dispatch-for'
import { createMessaging, ownSession, startTurn } from './messaging'
import { addNotice } from './notices'
import { settlePause } from './pause'
import type { AnsweredLater } from './questions'
import { appendCall, callAgain, wasBlocked } from './rerun'
import { rewindCalls } from './rewind/rewind'
import { createRunnerCore, type RunnerCore } from './runner-core'
import type { Runner, RunnerOptions } from './types'
import { listenToProcesses } from './wake'

const mostChars = 5_000_000

export type { Runner, RunnerOptions } from './types'

const ruleFlushMs = 2000

/** Runs sessions: takes messages, plays turns, keeps the queue, puts questions. Everything is saved, then published. */
export const createRunner = (options: RunnerOptions): Runner => {
  const core = createRunnerCore(options)
  const stopListening = listenToProcesses(core)
  const stopFlushing = flushRuleUse(core)
  return {
    ...createMessaging(core),
    ...sessionCalls(core),
    ...turnCalls(core),
    ...questionCalls(core),
    ...agentActions(core),
    ...rewindCalls(core),

    page: (sessionId, beforeSeq, limit) => {
      core.live.get(sessionId)?.flush()
      core.flushStates()
      return options.store.messages.page(sessionId, beforeSeq, limit)
    },
    call: async (sessionId, name, given, { signal, maxResultBytes }) => {
      const session = ownSession(core, sessionId)
      const turn = core.hostedStates.get(sessionId)?.turn
      if (turn)
        return turn.ownCall(name, given, (row, stopped) =>
          executeCall(core, options.toolsetFor(session), row, AbortSignal.any([signal, stopped]), maxResultBytes),
        )
      const append = () => appendCall(core, sessionId, { name, arguments: given, gist: '' })
      const call = await core.whenWritable(sessionId, signal, append)
      return executeCall(core, options.toolsetFor(session), call, signal, maxResultBytes)
    },
    permit: async (sessionId, call, signal) => {
      ownSession(core, sessionId)
      const { name, gist, input } = call
      const append = () => appendCall(core, sessionId, { name, arguments: JSON.stringify(input), gist })
      const row = await core.whenWritable(sessionId, signal, append)
      return dispatchFor(core, row, permitTool(call), input, signal)
    },
    tell: (sessionId, text, forUser) => {
      if (!core.isClosed() && options.store.sessions.find(sessionId))
        addNotice(core, sessionId, { kind: 'event', text, ...(forUser && { forUser }) })
    },
    goOn: (sessionId, text) => {
      if (core.isClosed() || !options.store.sessions.find(sessionId)) return
      addNotice(core, sessionId, { kind: 'event', text })
      startTurn(core, sessionId)
    },
    setTodo: (sessionId, items) => {
      options.store.sessions.setTodo(sessionId, items)
      options.publish({ type: 'todo', sessionId, items })
    },
    askModel: (sessionId, request) => askModel(core, sessionId, request),
    spending: (sessionId) => spendingOf(core, sessionId),
    output: (callId) => fullOutput(options, callId),
    settled: async (sessionId) => {
      for (let live = core.live.get(sessionId); live; live = core.live.get(sessionId)) await live.done
    },
    close: async () => {
      if (core.isClosed()) return
      stopListening()
      stopFlushing()
      options.store.unsaved.save('rules', () => void options.store.rules.flush())
      core.close()
      const turns = [...core.live.values()]
      const closing = new Error('Deckhand closed before this was answered.')
      for (const watcher of [...core.watchers.values(), ...turns.map((live) => live.watcher)]) watcher?.gone(closing)
      for (const live of turns) live.controller.abort(new DOMException('Deckhand is closing', 'AbortError'))
      await Promise.all(turns.map((live) => live.done))
      await core.trials.close()
      options.store.unsaved.save('leave', options.store.leave)
    },
  }
}

/** Rule uses are saved in batches: a write for each use would slow down every call. */
const flushRuleUse = (core: RunnerCore): (() => void) => {
  const { store, log } = core.options
  const timer = setInterval(() => {
    try {
      if (store.rules.flush()) core.publishRules()
    } catch (error) {
      log.warn('Could not save how often rules were used', { error })
    }
  }, ruleFlushMs)
  timer.unref()
  return () => clearInterval(timer)
}

const recheckQuestions = (core: RunnerCore): void => {
  core.questions
    .recheck()
    .catch((error) => core.options.log.error('Could not look at waiting questions again', { error }))
}

const sessionCalls = (
  core: RunnerCore,
): Pick<Runner, 'createSession' | 'updateSession' | 'deleteSession' | 'restoreSession'> => {
  const { store, publish } = core.options
  return {
    createSession: (session) => core.publishSession(store.sessions.create(session).id),
    updateSession: (id, patch) => {
      store.sessions.update(id, patch)
      if (patch.mode !== undefined) recheckQuestions(core)
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
  }
}

const turnCalls = (
  core: RunnerCore,
): Pick<Runner, 'retry' | 'regenerate' | 'branch' | 'undoCompaction' | 'runOutside'> => {
  const { store } = core.options
  const refuseWhileBusy = (sessionId: string): Session => {
    const session = ownSession(core, sessionId)
    if (core.live.has(sessionId)) throw new Error('The session is working. Stop it first.')
    return session
  }
  return {
    retry: (sessionId) => {
      if (refuseWhileBusy(sessionId).waiting > 0) throw new Error('The session is waiting for your answer.')
      takeBackFailure(core, sessionId)
      startTurn(core, sessionId)
    },
    regenerate: (sessionId) => {
      refuseWhileBusy(sessionId)
      takeBackAnswer(core, sessionId)
      startTurn(core, sessionId)
    },
    branch: (sessionId, messageId, text, attachments, model) => {
      const branch = branchAt(store, sessionId, messageId, text, attachments, model)
      branchAgent(core, sessionId, messageId, branch)
      startTurn(core, branch.id)
      return store.sessions.get(branch.id)
    },
    undoCompaction: (sessionId, messageId) => undoCompaction(core, sessionId, messageId),
    runOutside: (callId) => {
      const call = store.calls.get(callId)
      const { sessionId } = call
      if (!wasBlocked(call)) throw new Error('The sandbox did not block this.')
      if (ownSession(core, sessionId).waiting > 0) throw new Error('The session is waiting for your answer.')
      const live = core.live.get(sessionId)
      if (live) {
        live.reruns.push(callId)
        return
      }
      callAgain(core, sessionId, [callId])
      startTurn(core, sessionId)
    },
  }
}

const questionCalls = (
  core: RunnerCore,
): Pick<Runner, 'answer' | 'questions' | 'tryCommand' | 'discardTrial' | 'revokeRule'> => {
  const { store } = core.options
  /** The question was asked before a restart: no running turn waits for its answer, so a new one goes on from there. */
  const resume = ({ call, question, answer }: AnsweredLater): void => {
    const goesOn = question.kind !== 'loop' || settlePause(core, call.id, answer.decision !== 'deny') === 'continue'
    if (goesOn) startTurn(core, call.sessionId)
    else abortOpenCalls(core, call.sessionId)
  }
  return {
    answer: (questionId, answer) => {
      const call = store.calls.byQuestion(questionId)
      if (call && store.sessions.find(call.sessionId)) ownSession(core, call.sessionId)
      const left = core.questions.answer(questionId, answer)
      if (left) resume(left)
    },
    questions: () =>
      store.calls.awaiting().flatMap((call) => {
        const question = questionOf(call)
        return question ? [{ question, call, session: store.sessions.get(call.sessionId) }] : []
      }),
    tryCommand: (questionId) => core.trials.start(questionId),
    discardTrial: (questionId) => core.trials.discard(questionId),
    revokeRule: (id) => {
      store.rules.revoke(id)
      return core.publishRules()
    },
  }
}

/** The full text of a result: the saved copy, the output of the process, or the text itself. */
const fullOutput = async (
  options: Pick<RunnerOptions, 'store' | 'table' | 'spillDir'>,
  callId: string,
): Promise<string> => {
  const { state } = options.store.calls.get(callId)
  try {
    return await readFile(join(options.spillDir, `${callId}.txt`), 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const display = 'display' in state ? state.display : undefined
  if (display?.type === 'process' && options.table.list().some(({ id }) => id === display.processId)) {
    return (await options.table.output(display.processId, { maxChars: mostChars })).text
  }
  if (state.status === 'denied' || state.status === 'aborted') return state.message
  if (state.status !== 'done' && state.status !== 'failed') return ''
  return state.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}
