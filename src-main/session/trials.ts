import type { Question } from '../../src-preload/contract/approval'
import type { TrialState } from '../../src-preload/contract/sandbox'
import type { ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import type { Logger } from '../log'
import type { Trial, TrialRunner } from '../sandbox/trial-runner'
import type { QuestionDraft } from '../tools/question'
import { ToolFailure, type TriedCommand } from '../tools/tool'
import { questionOf } from './call-rows'
import type { Store } from './store'

interface TrialsOptions {
  store: Store
  /** `undefined` where nothing can be tried. */
  trialRunner: TrialRunner | undefined
  setState(callId: string, state: ToolState): void
  log: Logger
}

/** These are dangerous because of effects elsewhere, which a trial in the workspace cannot show. */
const shownByTrial = new Set(['delete', 'config'])

export type Trials = ReturnType<typeof createTrials>

/** Commands that wait for an answer and are tried meanwhile, in a view of the workspace: one trial for each call. */
export const createTrials = ({ store, trialRunner, setState, log }: TrialsOptions) => {
  const trials = new Map<string, Trial>()

  const asked = (questionId: string): { call: ToolCall; question: Question; offered: TrialState } => {
    const call = store.calls.byQuestion(questionId)
    const question = call && questionOf(call)
    if (!call || question?.id !== questionId) throw new Error('This question has been answered already.')
    if (!question.trial) throw new Error('This cannot be tried.')
    return { call, question, offered: question.trial }
  }

  /** The question may have been answered while the trial was running. */
  const show = (questionId: string, trial: TrialState): void => {
    const call = store.calls.byQuestion(questionId)
    const question = call && questionOf(call)
    if (call && question?.id === questionId) setState(call.id, { status: 'awaiting', question: { ...question, trial } })
  }

  const drop = async (callId: string): Promise<void> => {
    const trial = trials.get(callId)
    trials.delete(callId)
    await trial?.close().catch((error) => log.warn('A trial could not be cleared away', { call: callId, error }))
  }

  // The results of trials do not survive a restart.
  for (const call of store.calls.awaiting()) {
    const question = questionOf(call)
    const stale = question?.trial && question.trial.status !== 'offered' && !store.runsElsewhere(call.sessionId)
    if (question?.trial && stale) show(question.id, { status: 'offered', limits: question.trial.limits })
  }

  return {
    drop,
    /** Adds to a question that its command can be tried first, and what a trial cannot show. */
    offer: async (draft: QuestionDraft, access: Access, decision: Decision): Promise<QuestionDraft> => {
      if (!access.triable || draft.command === undefined || access.env) return draft
      if (decision.typedWord !== undefined && !shownByTrial.has(decision.typedWord)) return draft
      const parts = decision.subCommands
      if (parts.length > 0 && parts.every(({ effects }) => effects?.connects)) return draft
      if (!(await trialRunner?.isPossible())) return draft
      return { ...draft, trial: { status: 'offered', limits: limitsOf(decision) } }
    },
    start: async (questionId: string): Promise<void> => {
      const { call, question, offered } = asked(questionId)
      if (offered.status === 'running') throw new Error('A trial is already running.')
      const { command, cwd } = question
      if (!trialRunner || command === undefined || cwd === undefined) throw new Error('This cannot be tried.')
      await drop(call.id)
      const { limits } = offered
      const { workspace } = store.sessions.get(call.sessionId)
      let trial: Trial
      try {
        trial = await trialRunner.begin({ sessionId: call.sessionId, callId: call.id, workspace, command, cwd })
      } catch (error) {
        show(questionId, { status: 'failed', limits, message: wordsOf(error) })
        return
      }
      const { processId } = trial
      trials.set(call.id, trial)
      show(questionId, { status: 'running', limits, processId, startedAt: Date.now() })
      trial.end.then(
        (end) => show(questionId, { status: 'done', limits, ...end }),
        (error) => show(questionId, { status: 'failed', limits, message: wordsOf(error) }),
      )
    },
    /** Ends a trial, or discards its result. */
    discard: async (questionId: string): Promise<void> => {
      const { call, offered } = asked(questionId)
      await drop(call.id)
      show(questionId, { status: 'offered', limits: offered.limits })
    },
    /** The changes that the user has applied. */
    tried: (callId: string): TriedCommand | null => {
      const trial = trials.get(callId)
      if (!trial) return null
      return {
        processId: trial.processId,
        apply: () =>
          trial.apply().catch((error) => {
            throw new ToolFailure('ExecutionFailed', wordsOf(error))
          }),
      }
    },
    close: async (): Promise<void> => {
      await Promise.all([...trials.keys()].map(drop))
    },
  }
}

function limitsOf({ subCommands }: Decision): string[] {
  const effects = subCommands.flatMap((part) => part.effects ?? [])
  const outside = effects.some(({ writes = [], deletes = [] }) =>
    [...writes, ...deletes].some((path) => /^[~/]/.test(path)),
  )
  return ['The trial has no network.', ...(outside ? ['Nothing outside the workspace is changed.'] : [])]
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
