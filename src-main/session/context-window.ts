import type { Message } from '../../src-preload/contract/messages'
import { compact, longestSummarised, summaryTokens } from '../agent/compaction'
import { contextTokens, estimateText } from '../agent/context'
import type { Budget } from './budget'
import { type Conversation, summaryOf } from './conversation'
import type { RunnerCore } from './runner-core'
import type { ModelChoice } from './types'

/** Summaries of summaries get worse; a turn that needs more than this has another problem. */
const mostInOneTurn = 3
/** If the user undid a compaction, the window fills up completely before the next one. */
const afterUndo = 0.95

/** The size of the window: the known one, or else a likely one. */
export const windowOf = ({ contextWindow, assumedWindow }: ModelChoice): number =>
  contextWindow || assumedWindow || 128_000

interface WindowOptions {
  /** What every request carries besides the conversation. */
  overhead(): number
  /** A summary is a request of its own, and is paid for. */
  budget: Pick<Budget, 'check' | 'record'>
  signal: AbortSignal
}

/** Keeps a session within its model's window, by summaries of older messages that the user can take back. */
export const createContextWindow = (
  core: RunnerCore,
  sessionId: string,
  conversation: Conversation,
  choice: ModelChoice,
  { overhead, budget, signal }: WindowOptions,
) => {
  const { store, publish, table, settings } = core.options
  let made = 0

  const seen = (): { messages: Message[]; summary: string | null; compactedAt: number } => {
    const { messages, compaction } = conversation.read()
    return {
      messages,
      summary: compaction ? summaryOf(compaction.message) : null,
      compactedAt: compaction?.message.seq ?? -1,
    }
  }

  const size = ({ messages, summary, compactedAt }: ReturnType<typeof seen>): number =>
    contextTokens(messages, conversation.toModel, overhead() + estimateText(summary ?? ''), compactedAt)

  /** Hides older messages behind a summary. False when that would not help. */
  const shrink = async (): Promise<boolean> => {
    if (made >= mostInOneTurn) return false
    const { messages, summary } = seen()
    await budget.check(Math.ceil(windowOf(choice) * longestSummarised), summaryTokens)
    const compaction = await compact({
      messages,
      toModel: conversation.toModel,
      earlierSummary: summary,
      firstRequest: store.messages.firstRequest(sessionId),
      todo: store.sessions.todo(sessionId),
      processes: table.list(sessionId).filter((process) => process.status === 'running' && !process.byUser),
      model: choice.model,
      modelName: choice.modelName,
      contextWindow: windowOf(choice),
      used: budget.record,
      signal,
    })
    if (!compaction || core.isClosed()) return false
    made++
    const { text, summary: written, hiddenCount, hidesBefore } = compaction
    const message = store.messages.append({
      sessionId,
      role: 'system',
      parts: [{ type: 'notice', notice: { kind: 'compaction', text, summary: written, hiddenCount, undone: false } }],
      hidesBefore,
    })
    publish({ type: 'message', message })
    return true
  }

  return {
    shrink,
    /** Before each request: makes room when the window is nearly full. Returns about how many tokens the request has. */
    ensure: async (): Promise<{ tokens: number; shrunk: boolean }> => {
      const now = seen()
      const tokens = size(now)
      const limit = now.messages.some(isUndone) ? Math.max(afterUndo, settings().compactAt) : settings().compactAt
      const shrunk = tokens > limit * windowOf(choice) && (await shrink())
      return { tokens: shrunk ? size(seen()) : tokens, shrunk }
    },
  }
}

const isUndone = (message: Message): boolean =>
  message.parts.some((part) => part.type === 'notice' && part.notice.kind === 'compaction' && part.notice.undone)
