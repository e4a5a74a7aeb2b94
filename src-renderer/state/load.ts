import type { DeckhandEvent, LoadedEvent } from '../../src-preload/contract/events'
import type { CallInput, CallName, CallOutput } from '../../src-preload/contract/ipc'
import { call } from './bridge'
import { applyEvents } from './store'

type StoreEvent = DeckhandEvent | LoadedEvent

/** Calls whose answers are events for the store. */
type LoadingCall = {
  [Name in CallName]: [CallOutput<Name>] extends [StoreEvent | StoreEvent[]]
    ? CallOutput<Name> extends null
      ? never
      : Name
    : never
}[CallName]

/** Loads something from main into the store. */
export async function load<Name extends LoadingCall>(name: Name, input: CallInput<Name>): Promise<void> {
  const answer: StoreEvent | StoreEvent[] = await call(name, input)
  applyEvents([answer].flat())
}
