import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { SandboxedCall } from '../sandbox/sandbox'
import { questionAhead } from '../tools/question-ahead'
import type { ToolContext, Toolset } from '../tools/tool'
import { shownQuestion } from './call-gate'
import type { GatedCall } from './gate'
import type { RunnerCore } from './runner-core'

/** Only this many calls of a message ask ahead. */
const most = 20

/**
 * While a call waits for an answer, those after it in the same message put their questions too, so that the user sees all
 * of them and can answer them together. They still run one after another: an answer is kept until its call comes by, and
 * counts only if what was shown still holds then.
 */
export const askAhead = async (
  core: RunnerCore,
  toolset: Toolset,
  after: ToolCall,
  { sessionId, sandboxed }: GatedCall,
  inside: SandboxedCall | null | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const { store, gate, hooks, log } = core.options
  // Hooks are programs with side effects, so they are not run ahead of time.
  if (hooks?.any(sessionId)) return
  const { workspace } = store.sessions.get(sessionId)
  const calls = store.calls.ofMessages([after.messageId])
  const next = calls.slice(calls.findIndex(({ id }) => id === after.id) + 1).slice(0, most)
  for (const call of next) {
    if (call.state.status !== 'pending' || core.begun.has(call.id)) continue
    const gated: GatedCall = { sessionId, sandboxed, outside: store.calls.isOutside(call.id) }
    const context: ToolContext = {
      sessionId,
      callId: call.id,
      workspace,
      signal,
      resultBytes: 0,
      show: () => {},
      ...(inside && !gated.outside && { sandbox: inside }),
    }
    try {
      const made = { toolset, name: call.name, arguments: call.arguments }
      const found = await questionAhead(made, context, (access) => gate.decide(access, gated))
      if (!found) continue
      const { access, decision, gist } = found
      const draft = await shownQuestion(core, found.draft, access, decision, call)
      if (signal.aborted || core.isClosed()) return
      // The call may have started while the gate was deciding.
      if (core.begun.has(call.id)) continue
      const allows = async (): Promise<boolean> => (await gate.decide(access, gated)).verdict === 'allow'
      if (core.questions.askAhead(call, draft, gist, allows) && draft.losses)
        void core.losses.fill(call.id, access, signal)
    } catch (error) {
      // The call reports its own error when it is made.
      log.debug('A question could not be put ahead', { call: call.id, error })
    }
  }
}
