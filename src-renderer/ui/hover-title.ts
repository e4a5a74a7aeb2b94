import type { PointerEvent } from 'react'

/**
 * A title that is worded when the pointer comes. It says how things are then, and a start need not wait for the tables
 * by which times are worded in every language.
 */
export const hoverTitle = (words: () => string) => ({
  onPointerEnter: (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.title = words()
  },
})
