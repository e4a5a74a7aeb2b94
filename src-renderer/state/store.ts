import { create } from 'zustand'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import { type Engine, emptyEngine, reduce } from './engine'
import { loadPreferences, savePreferences } from './preferences'
import { firstView, type View } from './view'

export type State = Engine & View

/** The one store of the window. Components select the smallest value they need; `actions.ts` is what changes it. */
export const useDeckhand = create<State>(() => ({ ...emptyEngine, ...firstView(loadPreferences(browserStorage())) }))

export const getState = useDeckhand.getState
export const setState = useDeckhand.setState

/** All events of one batch become one render. */
export function applyEvents(events: DeckhandEvent[]): void {
  setState((state) => events.reduce<Engine>(reduce, state))
}

/** Keeps the layout and drafts for the next start; returns the way to stop. */
export function rememberView(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    const { selectedId, sidebarOpen, deckOpen, widths, drafts } = getState()
    savePreferences(browserStorage(), { selectedId, sidebarOpen, deckOpen, widths, drafts })
  }
  const unsubscribe = useDeckhand.subscribe((state, before) => {
    const same =
      state.selectedId === before.selectedId &&
      state.sidebarOpen === before.sidebarOpen &&
      state.deckOpen === before.deckOpen &&
      state.widths === before.widths &&
      state.drafts === before.drafts
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
