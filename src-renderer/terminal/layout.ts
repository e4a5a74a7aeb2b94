export type DeckLayout = 'stack' | 'tabs'

const key = 'deckhand.deck'

/** How the panes were laid out when the window was last used. */
export const loadLayout = (): DeckLayout => (localStorage.getItem(key) === 'tabs' ? 'tabs' : 'stack')

export const saveLayout = (layout: DeckLayout) => localStorage.setItem(key, layout)
