import { type RefObject, useEffect, useRef } from 'react'

/** A card that has just appeared may have slid under a click or a key that was meant for something else. */
export const ARMING_MS = 400

/** What tells an event that the user made from one of a script or of a key that is being held down. */
export interface UserEvent {
  isTrusted: boolean
  repeat?: boolean
}

/**
 * Lets an event through only when it can be meant: the card has been in view for a moment, the user made it, and
 * it is not the repetition of a key that was pressed for something else.
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
