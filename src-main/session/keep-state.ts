import type { ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import { type CallFacts, hasEnded } from './call-rows'
import type { Store } from './store'

/** Most commands have ended by then, and their end is saved anyway. */
const displayMs = 50

/**
 * Saves the states of calls. That a call asks or begins has to be on disk before anybody hears of it, so that throws. The
 * end of a call has happened: where it cannot be saved now, on a full disk for example, it is kept here and saved later.
 * How a running call shows itself is saved a moment later: a crash in between costs its card the link to its terminal.
 */
export const createKeepState = (store: Store, clock: () => number) => {
  /** Calls whose last state is not on disk yet. */
  const unsaved = new Map<string, ToolCall>()
  /** Calls under way: only this process changes them, so that they need not be read again. */
  const open = new Map<string, ToolCall>()
  /** Of those, the ones whose rows are to be written soon, with what was learnt about them. */
  const soon = new Map<string, CallFacts>()
  let timer: NodeJS.Timeout | null = null
  store.unsaved.onSettled(() => unsaved.clear())

  const remember = (call: ToolCall): ToolCall => {
    if (hasEnded(call.state)) open.delete(call.id)
    else open.set(call.id, call)
    return call
  }

  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    for (const [id, facts] of soon) {
      const state = open.get(id)?.state
      if (state) store.unsaved.save(`call:${id}`, () => void store.calls.changeState(id, state, facts))
    }
    soon.clear()
  }

  const saveSoon = (before: ToolCall, state: ToolState, facts: CallFacts): ToolCall => {
    soon.set(before.id, facts)
    timer ??= setTimeout(flush, displayMs).unref()
    return remember({ ...before, ...facts, state })
  }

  /** Now, or as soon as that is possible again. */
  const saveEnd = (before: ToolCall, state: ToolState, facts: CallFacts): ToolCall | null => {
    let saved: ToolCall | null = null
    const write = (): void => {
      saved = store.calls.changeState(before.id, state, facts)
    }
    open.delete(before.id)
    if (store.unsaved.save(`call:${before.id}`, write)) return saved
    const call: ToolCall = { ...before, ...facts, state, endedAt: clock() }
    unsaved.set(call.id, call)
    return call
  }

  return {
    /** Takes in a call that was just saved: its row need not be read again. */
    remember,
    /** The call as it is now, on disk or not. */
    find: (callId: string): ToolCall | null => unsaved.get(callId) ?? open.get(callId) ?? store.calls.find(callId),
    /** Saves what is to be saved soon: whoever reads the rows then sees all that was told of them. */
    flush,
    /** Returns the call as it is then; null if it is gone with its session. */
    keep: (before: ToolCall, state: ToolState, facts: CallFacts): ToolCall | null => {
      const all = { ...soon.get(before.id), ...facts }
      soon.delete(before.id)
      if (hasEnded(state)) return saveEnd(before, state, all)
      if (state.status === 'running' && before.state.status === 'running') return saveSoon(before, state, all)
      open.delete(before.id)
      const call = store.calls.changeState(before.id, state, all)
      return call && remember(call)
    },
  }
}
