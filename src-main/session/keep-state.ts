import type { ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import { type CallFacts, hasEnded } from './call-rows'
import type { Store } from './store'

/**
 * Saves the states of calls. The end of a call has happened: where it cannot be saved now, on a full disk for example, it is
 * kept here and saved later. That a call asks or begins has to be on disk before anybody hears of it, so that throws.
 */
export const createKeepState = (store: Store, clock: () => number) => {
  /** Calls whose last state is not on disk yet. */
  const unsaved = new Map<string, ToolCall>()
  /** Calls under way as their rows are: only this process changes them, so that they need not be read again. */
  const open = new Map<string, ToolCall>()
  const remember = (call: ToolCall): ToolCall => {
    if (hasEnded(call.state)) open.delete(call.id)
    else open.set(call.id, call)
    return call
  }
  store.unsaved.onSettled(() => unsaved.clear())

  return {
    /** The call as it is now, on disk or not. */
    find: (callId: string): ToolCall | null => unsaved.get(callId) ?? open.get(callId) ?? store.calls.find(callId),
    /** Returns the call as it is then; null if it is gone with its session. */
    keep: (before: ToolCall, state: ToolState, facts: CallFacts): ToolCall | null => {
      const mayWait = hasEnded(state) || (state.status === 'running' && before.state.status === 'running')
      if (!mayWait) {
        const call = store.calls.changeState(before.id, state, facts)
        if (!call) open.delete(before.id)
        return call && remember(call)
      }
      let saved: ToolCall | null = null
      // What was learnt on the way to a state that waits is saved with this one.
      const known = unsaved.get(before.id)
      const all = { ...(known && { gist: known.gist, ...(known.grant && { grant: known.grant }) }), ...facts }
      const write = (): void => {
        saved = store.calls.changeState(before.id, state, all)
      }
      if (store.unsaved.save(`call:${before.id}`, write)) {
        if (saved) return remember(saved)
        open.delete(before.id)
        return null
      }
      const call: ToolCall = {
        ...before,
        ...all,
        state,
        startedAt: before.startedAt ?? (state.status === 'running' ? clock() : null),
        endedAt: hasEnded(state) ? clock() : before.endedAt,
      }
      unsaved.set(call.id, call)
      return call
    },
  }
}
