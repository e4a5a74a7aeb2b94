import type { Message } from '../../src-preload/contract/messages'
import type { Usage } from '../../src-preload/contract/sessions'
import type { TurnOutcome } from '../agent/loop'
import { endRequest, spendingOf } from './budget'
import { addNotice } from './notices'
import type { LiveTurn, RunnerCore } from './runner-core'
import type { TurnEnd } from './types'

/** Closes everything that the turn left open, and publishes how it ended. */
export const finishTurn = (
  core: RunnerCore,
  live: LiveTurn,
  outcome: TurnOutcome,
  spent: Usage,
  begin: number,
): void => {
  const { store, publish } = core.options
  const { sessionId } = live
  const answer = store.messages.lastOfRole(sessionId, 'assistant')
  abortOpenCalls(core, sessionId)
  if (outcome.reason === 'limit') {
    const steps = outcome.iterations === 1 ? '1 step' : `${outcome.iterations} steps`
    addNotice(core, sessionId, { kind: 'limit', text: `Paused after ${steps}.` })
  }
  if (outcome.reason === 'cap' && outcome.error)
    addNotice(core, sessionId, { kind: 'limit', text: `Paused. ${outcome.error.message}` })
  endRequest(core, sessionId)
  core.spending.raised.delete(`turn ${sessionId}`)
  core.live.delete(sessionId)
  core.refreshStatus(sessionId)
  publish(spendingOf(core, sessionId))
  const end: TurnEnd = {
    type: 'turn-end',
    sessionId,
    reason: outcome.reason,
    text: answer && answer.seq >= begin ? textOf(answer) : '',
    usage: spent,
    error: outcome.error,
  }
  publish(end)
  live.watcher?.ended(end)
}

export const abortOpenCalls = (core: RunnerCore, sessionId: string): void => {
  core.flushStates()
  for (const call of core.options.store.calls.open(sessionId)) {
    const display = call.state.status === 'running' ? call.state.display : undefined
    core.setState(call.id, { status: 'aborted', message: 'Stopped', display })
    core.questions.forget(call.id)
  }
}

const textOf = (message: Message): string =>
  message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
