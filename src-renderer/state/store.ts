import { create, type StoreApi, type UseBoundStore } from 'zustand'
import type { Hello } from '../../src-preload/contract/core-calls'
import type { DeckhandEvent, LoadedEvent } from '../../src-preload/contract/events'
import { emptyMainState, greet, type MainState, open, reduce } from './main-state'
import { loadPreferences, savePreferences } from './preferences'
import { type OnScreen, trimState } from './trim-state'
import { firstView, type View } from './view'

export type State = MainState & View

const store = create<State>(() => ({ ...emptyMainState, ...firstView(loadPreferences(browserStorage())) }))

/** The one store of the window. Components select the smallest value they need. */
export const useDeckhand: UseBoundStore<Pick<StoreApi<State>, 'getState' | 'getInitialState' | 'subscribe'>> = store

export const getState = store.getState

/** Changes the window's own state. What main has sent changes only by `greetWith` and `applyEvents`. */
export const setState = (change: Partial<View> | ((state: State) => Partial<View>)): void => store.setState(change)

export const greetWith = (hello: Hello): void => store.setState(greet(hello))

export const connectionFailed = (connectionError: string): void =>
  store.setState({ connection: 'failed', connectionError })

export const recoveryRead = (): void => store.setState({ recovery: null })

export const connectionWaits = (connectionNote: string): void => store.setState({ connectionNote })

/** Applies events of main and its answers to calls that read. A batch of events is rendered once. */
export function applyEvents(events: (DeckhandEvent | LoadedEvent)[]): void {
  store.setState((state) => trimState(events.reduce<MainState>(reduce, state), onScreen, state.page === 'changes'))
}

/** Shows a session, and keeps what main sends about it from now on. */
export const openSession = (id: string): void =>
  store.setState((state) => ({
    ...trimState(open(state, id), onScreen, false),
    selectedId: id,
    page: 'chat',
    overlay: null,
  }))

let onScreen: OnScreen | null = null

/** Reports which messages are on screen. Not part of the state, since nothing is rendered by it. */
export const setOnScreen = (range: OnScreen): void => {
  onScreen = range
}

/** Saves the layout and drafts for the next start; returns a function that stops it. */
export function rememberView(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    const { selectedId, sidebarOpen, deckOpen, widths, drafts, wrapCode } = getState()
    savePreferences(browserStorage(), { selectedId, sidebarOpen, deckOpen, widths, drafts, wrapCode })
  }
  const unsubscribe = useDeckhand.subscribe((state, before) => {
    const same =
      state.selectedId === before.selectedId &&
      state.sidebarOpen === before.sidebarOpen &&
      state.deckOpen === before.deckOpen &&
      state.widths === before.widths &&
      state.drafts === before.drafts &&
      state.wrapCode === before.wrapCode
    if (same) return
    clearTimeout(timer)
    timer = setTimeout(save, 300)
  })
  window.addEventListener('pagehide', save)
  return () => {
    unsubscribe()
    clearTimeout(timer)
    window.removeEventListener('pagehide', save)
  }
}

function browserStorage(): Storage | undefined {
  return typeof localStorage === 'undefined' ? undefined : localStorage
}
