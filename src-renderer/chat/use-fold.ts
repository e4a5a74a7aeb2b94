import type { Message } from '../../src-preload/contract/messages'
import { useDeckhand } from '../state/store'
import { type CallRun, callRuns, folds, isQuiet, runKey } from './call-runs'

interface Fold {
  /** The run that is folded here; null if the call is shown on its own. */
  run: CallRun | null
  first: boolean
  hidden: boolean
}

const alone: Fold = { run: null, first: false, hidden: false }

/** How a call takes part in a run of calls that is folded into one line. */
export function useFold(sessionId: string, callId: string): Fold {
  const run = useDeckhand((state) => {
    const messages = state.transcripts[sessionId]?.messages
    const found = messages && callRuns(messages).get(callId)
    return found && folds(found, state.calls) ? found : null
  })
  const hidden = useDeckhand(
    (state) => run !== null && state.expanded[runKey(run)] !== true && isQuiet(state.calls[callId]),
  )
  return run ? { run, first: run.calls[0] === callId, hidden } : alone
}

/** Whether a whole message is folded: it contains only quiet calls of a run that began in an earlier message. */
export function useFoldedAway(message: Message | undefined): boolean {
  return useDeckhand((state) => {
    if (message?.role !== 'assistant' || message.streaming) return false
    const calls = message.parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []))
    const [first] = calls
    if (first === undefined) return false
    if (message.parts.some(({ type, ...part }) => type !== 'call' && type !== 'reasoning' && !isBlank(part)))
      return false
    const messages = state.transcripts[message.sessionId]?.messages
    const run = messages && callRuns(messages).get(first)
    if (!run || run.calls[0] === first || state.expanded[runKey(run)] || !folds(run, state.calls)) return false
    return calls.every((id) => isQuiet(state.calls[id]))
  })
}

const isBlank = (part: object) => 'text' in part && typeof part.text === 'string' && part.text.trim() === ''
