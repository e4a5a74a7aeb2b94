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
  store.unsaved.onSettled(() => unsaved.clear())

  return {
    /** The call as it is now, on disk or not. */
    find: (callId: string): ToolCall | null => unsaved.get(callId) ?? store.calls.find(callId),
    keep: (before: ToolCall, state: ToolState, facts: CallFacts): ToolCall => {
      const mayWait = hasEnded(state) || (state.status === 'running' && before.state.status === 'running')
      if (!mayWait) return store.calls.setState(before.id, state, facts)
      let saved: ToolCall | null = null
      // What was learnt on the way to a state that waits is saved with this one.
      const known = unsaved.get(before.id)
      const all = { ...(known && { gist: known.gist, ...(known.grant && { grant: known.grant }) }), ...facts }
      const write = (): void => {
        // It may be gone with its session by then.
        if (store.calls.find(before.id)) saved = store.calls.setState(before.id, state, all)
      }
      if (store.unsaved.save(`call:${before.id}`, write) && saved) return saved
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
