import { isNarrow } from './narrow'
import { setState } from './store'

/** Shows the review beside the chat; if it is already shown, the terminals. */
export const toggleReview = (): void =>
  setState((state) => {
    const shown = state.beside === 'review' && (isNarrow() ? state.drawerOpen : state.deckOpen)
    if (shown) return { beside: 'terminals', drawerOpen: false }
    return {
      page: 'chat',
      overlay: null,
      beside: 'review',
      ...(isNarrow() ? { drawerOpen: true } : { deckOpen: true }),
    }
  })

export const showTerminals = (): void =>
  setState((state) => ({ beside: 'terminals', emptyDeck: state.selectedId ?? state.emptyDeck }))
