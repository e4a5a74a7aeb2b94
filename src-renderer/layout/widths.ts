/** How the columns share the window. */
export interface Widths {
  /** The sidebar's pixels, whatever the width of the window. */
  side: number
  /** The deck's percent of what the sidebar leaves. */
  deck: number
}

export const usualWidths: Widths = { side: 248, deck: 42 }
