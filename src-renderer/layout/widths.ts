/** How the columns share the window. */
export interface Widths {
  /** The sidebar's width in pixels, whatever the width of the window. */
  side: number
  /** The deck's percentage of the space beside the sidebar. */
  deck: number
}

export const usualWidths: Widths = { side: 248, deck: 42 }
