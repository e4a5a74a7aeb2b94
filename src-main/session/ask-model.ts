import { createBudget } from './budget'
import type { RunnerCore } from './runner-core'

export interface SmallRequest {
  system: string
  text: string
  maxOutputTokens: number
  signal: AbortSignal
}

/** One small request to the model of a session, beside its conversation; empty if no whole answer came. What it costs is recorded. */
export async function askModel(core: RunnerCore, sessionId: string, request: SmallRequest): Promise<string> {
  const { system, text: asked, maxOutputTokens, signal } = request
  const choice = await core.options.modelFor(core.options.store.sessions.get(sessionId).model)
  const budget = createBudget(core, sessionId, choice, signal)
  let text = ''
  let ended = false
  for await (const event of choice.model.stream({
    model: choice.modelName,
    system,
    messages: [{ role: 'user', content: [{ type: 'text', text: asked }] }],
    tools: [],
    maxOutputTokens,
    signal,
  })) {
    if (event.type === 'text') text += event.text
    if (event.type === 'usage') {
      const { type: _, ...usage } = event
      budget.record(usage)
    }
    if (event.type === 'end') ended = true
    if (signal.aborted || core.isClosed()) break
  }
  return ended && !core.isClosed() ? text : ''
}
