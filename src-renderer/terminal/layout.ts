export const deckLayouts = ['stack', 'split', 'tabs'] as const
export type DeckLayout = (typeof deckLayouts)[number]

const key = 'deckhand.deck'

/** The layout of the panes when the window was last used. */
export const loadLayout = (): DeckLayout => deckLayouts.find((each) => each === localStorage.getItem(key)) ?? 'stack'

export const saveLayout = (layout: DeckLayout) => localStorage.setItem(key, layout)
