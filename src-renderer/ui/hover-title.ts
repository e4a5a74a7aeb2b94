import type { PointerEvent } from 'react'

/**
 * A title that is computed when the pointer enters. It is then up to date, and startup need not load the tables for
 * formatting times.
 */
export const hoverTitle = (words: () => string) => ({
  onPointerEnter: (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.title = words()
  },
})
