import { type RefObject, useEffect, useRef } from 'react'

/** A card that has just appeared may have moved under a click or a key that was meant for something else. */
export const ARMING_MS = 400

/** Tells an event of the user from one made by a script or by a key that is held down. */
export interface UserEvent {
  isTrusted: boolean
  repeat?: boolean
}

/**
 * Returns a function that accepts an event only if it can be intended: the card has been in view for a moment, the user
 * made it, and it is not the repetition of a held key.
 */
export function useGuard(): (event: UserEvent) => boolean {
  const since: RefObject<number | null> = useRef(null)
  useEffect(() => {
    since.current = performance.now()
  }, [])
  return (event) => isMeant(event, since.current === null ? 0 : performance.now() - since.current)
}

export const isMeant = (event: UserEvent, shownForMs: number) =>
  event.isTrusted && !event.repeat && shownForMs >= ARMING_MS
