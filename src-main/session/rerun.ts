import type { Part } from '../../src-preload/contract/messages'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { newId } from './ids'
import type { RunnerCore } from './runner-core'

/** Only what the sandbox got in the way of is made again. */
export const wasBlocked = ({ state }: ToolCall): boolean =>
  (state.status === 'done' || state.status === 'failed') && state.display?.type === 'process' && !!state.display.blocked

/**
 * Makes calls once more, outside the sandbox: as an answer of their own with nothing but these calls in it, so that they go
 * the way of all calls and the model reads what came of them. The next turn, or the next step of the one that runs, does it.
 */
export const callAgain = (core: RunnerCore, sessionId: string, callIds: readonly string[]): void => {
  const { store, publish } = core.options
  const { message, calls } = store.durably(() => {
    const opened = store.messages.append({ sessionId, role: 'assistant', parts: [] })
    const calls = callIds.map((id, position) => {
      const { name, arguments: given, gist } = store.calls.get(id)
      const providerId = newId('c')
      return store.calls.create({
        ...{ sessionId, messageId: opened.id, position, providerId, name, gist, outside: true },
        arguments: given,
      })
    })
    const parts = calls.map((call): Part => ({ type: 'call', callId: call.id }))
    const message = { ...opened, parts }
    store.messages.save(message)
    return { message, calls }
  })
  for (const call of calls) publish({ type: 'call', call })
  publish({ type: 'message', message })
}
