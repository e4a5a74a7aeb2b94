import { type RefObject, useEffect, useRef } from 'react'

/** A card that has just appeared may have slid under a click or a key that was meant for something else. */
export const ARMING_MS = 400

/** Whether an event was really made by the user, and not by a script or by a key that is being held down. */
export interface Deed {
  isTrusted: boolean
  repeat?: boolean
}

/**
 * Lets a deed through only when it can be meant: the card has been in view for a moment, the user made the event, and
 * it is not the repetition of a key that was pressed for something else.
 */
export function useGuard(): (deed: Deed) => boolean {
  const since: RefObject<number | null> = useRef(null)
  useEffect(() => {
    since.current = performance.now()
  }, [])
  return (deed) => isMeant(deed, since.current === null ? 0 : performance.now() - since.current)
}

export const isMeant = (deed: Deed, shownForMs: number) => deed.isTrusted && !deed.repeat && shownForMs >= ARMING_MS
