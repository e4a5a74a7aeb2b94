import { setTimeout as sleep } from 'node:timers/promises'
import type { Losses } from '../../src-preload/contract/losses'
import type { ToolState } from '../../src-preload/contract/tool-calls'
import type { Access } from '../approval/types'
import type { Logger } from '../log'
import type { LossFinder } from '../losses/losses'
import { CopyError, type CopyRequest } from '../receipts/copies'
import type { QuestionDraft } from '../tools/question'
import { questionOf } from './call-rows'
import type { Store } from './store'

interface LossesOptions {
  store: Store
  /** Loaded when something may be lost; `undefined` where nothing looks for that. */
  finder: (() => Promise<LossFinder>) | undefined
  setState(callId: string, state: ToolState): void
  log: Logger
}

/** A card says so when it took longer. */
const lookMs = 4_000
/** Before the copy nobody waits at a card. */
const copyLookMs = 30_000
const retryMs = 200
const retries = 100

export type LossWatch = ReturnType<typeof createLossWatch>

/** What waiting calls would destroy that exists nowhere else: the card appears at once, and this is filled in. */
export const createLossWatch = ({ store, finder, setState, log }: LossesOptions) => {
  // A look that an earlier run began ended with it.
  for (const call of store.calls.awaiting()) {
    const question = questionOf(call)
    if (question?.losses?.status === 'looking' && !store.runsElsewhere(call.sessionId))
      setState(call.id, { status: 'awaiting', question: { ...question, losses: { status: 'unknown' } } })
  }

  const find = async (access: Access): Promise<Losses> => {
    try {
      const losses = await finder?.()
      return losses ? losses.describe(await losses.find(access, lookMs), access) : { status: 'unknown' }
    } catch (error) {
      log.warn('Could not find out what a command would destroy', { error })
      return { status: 'unknown' }
    }
  }

  /** False while the question is not there yet: a locked database holds it up. */
  const show = (callId: string, losses: Losses): boolean => {
    const call = store.calls.find(callId)
    const question = call && questionOf(call)
    if (call?.state.status !== 'awaiting') return call?.state.status !== 'pending'
    if (question?.losses?.status === 'looking')
      setState(callId, { status: 'awaiting', question: { ...question, losses } })
    return true
  }

  return {
    /** Adds to a question that it is being looked at what would be lost. */
    offer: async (draft: QuestionDraft, access: Access): Promise<QuestionDraft> => {
      const deletes = access.command !== undefined || access.paths?.some((path) => path.access === 'delete')
      if (!deletes || access.typed || !finder) return draft
      try {
        return (await finder()).mayLose(access) ? { ...draft, losses: { status: 'looking' } } : draft
      } catch (error) {
        log.warn('Could not find out whether a command destroys something', { error })
        return draft
      }
    },
    /** What has to be copied before the call runs, looked at once more. Throws where that cannot be told. */
    toCopy: async (access: Access): Promise<CopyRequest> => {
      const losses = await finder?.()
      if (!losses) throw new CopyError('There is nothing to keep a copy of.')
      return losses.toCopy(await losses.find(access, copyLookMs))
    },
    /** Looks, and shows what was found on the card of the call. */
    fill: async (callId: string, access: Access, signal: AbortSignal): Promise<void> => {
      const losses = await find(access)
      for (let tries = 0; tries < retries && !signal.aborted && !show(callId, losses); tries++)
        await sleep(retryMs, undefined, { ref: false })
    },
  }
}
