import { askBeside } from '../agent/ask-beside'
import { estimateText, estimateTokens } from '../agent/context'
import type { ModelRequest } from '../agent/model'
import { createBudget } from './budget'
import type { RunnerCore } from './runner-core'

export interface SmallRequest {
  system: string
  text: string
  maxOutputTokens: number
  signal: AbortSignal
}

/**
 * One small request to the model of a session, beside its conversation; empty if no whole answer came. What it costs is
 * recorded. Throws `CapReached` where it could cost more than the user allows.
 */
export async function askModel(core: RunnerCore, sessionId: string, request: SmallRequest): Promise<string> {
  const { system, text: asked, maxOutputTokens, signal } = request
  const choice = await core.options.modelFor(core.options.store.sessions.get(sessionId).model)
  const budget = createBudget(core, sessionId, choice, signal, true)
  const wanted: ModelRequest = {
    model: choice.modelName,
    system,
    messages: [{ role: 'user', content: [{ type: 'text', text: asked }] }],
    tools: [],
    maxOutputTokens,
    signal,
  }
  const inputTokens = estimateText(system) + estimateTokens(wanted.messages)
  await budget.check(inputTokens, maxOutputTokens + (choice.thinkingTokens ?? 0))
  try {
    const { text, ended, usage } = await askBeside(choice.model, wanted, core.isClosed)
    if (usage && !core.isClosed()) budget.record(usage)
    return ended && !core.isClosed() ? text : ''
  } finally {
    budget.ended()
  }
}
