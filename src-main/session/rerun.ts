import type { Part } from '../../src-preload/contract/messages'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { newId } from './ids'
import type { RunnerCore } from './runner-core'

/** Only calls that failed because of the sandbox are repeated. */
export const wasBlocked = ({ state }: ToolCall): boolean =>
  (state.status === 'done' || state.status === 'failed') && state.display?.type === 'process' && !!state.display.blocked

/** Repeats calls outside the sandbox. The next turn, or the next step of the running one, runs them. */
export const callAgain = (core: RunnerCore, sessionId: string, callIds: readonly string[]): void => {
  const again = callIds.map((id) => {
    const { name, arguments: given, gist } = core.options.store.calls.get(id)
    return { name, arguments: given, gist, outside: true }
  })
  appendCalls(core, sessionId, again)
}

/** Adds an assistant message with nothing but these calls, so that they are saved and shown like any call of the model. */
const appendCalls = (
  core: RunnerCore,
  sessionId: string,
  wanted: readonly { name: string; arguments: string; gist: string; outside?: boolean }[],
): ToolCall[] => {
  const { store, publish } = core.options
  const { message, calls } = store.durably(() => {
    const opened = store.messages.append({ sessionId, role: 'assistant', parts: [] })
    const calls = wanted.map((call, position) =>
      store.calls.create({ ...call, sessionId, messageId: opened.id, position, providerId: newId('c') }),
    )
    const message = { ...opened, parts: calls.map((call): Part => ({ type: 'call', callId: call.id })) }
    store.messages.save(message)
    return { message, calls }
  })
  for (const call of calls) publish({ type: 'call', call })
  publish({ type: 'message', message })
  return calls
}

/** The same with one call. */
export const appendCall = (
  core: RunnerCore,
  sessionId: string,
  call: Parameters<typeof appendCalls>[2][number],
): ToolCall => {
  const [row] = appendCalls(core, sessionId, [call])
  if (!row) throw new Error('A call was not saved.')
  return row
}
