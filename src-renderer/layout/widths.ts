/** How the columns share the window. The sidebar keeps its pixels whatever the window's width, the others share the rest. */
export interface Widths {
  /** Pixels. */
  side: number
  /** Percent of what the sidebar leaves. */
  deck: number
}

export const usualWidths: Widths = { side: 248, deck: 42 }

/** Percent of the window by the id of the panel. */
type Shares = Record<string, number>

interface Shown {
  windowWidth: number
  sidebar: boolean
  deck: boolean
}

export function sharesOf(widths: Widths, shown: Shown): Shares {
  const side = shown.sidebar ? (widths.side / shown.windowWidth) * 100 : 0
  const deck = shown.deck ? ((100 - side) * widths.deck) / 100 : 0
  const main = 100 - side - deck
  return shown.deck ? { side, main, deck } : { side, main }
}

/** What a change of the columns means; a column that is not shown keeps the width it had. */
export function widthsAfter(before: Widths, { side = 0, deck }: Shares, windowWidth: number): Widths {
  return {
    side: side > 0 ? Math.round((side / 100) * windowWidth) : before.side,
    deck: deck === undefined ? before.deck : (deck / (100 - side)) * 100,
  }
}
