import { type RefObject, useEffect, useRef } from 'react'

/** Listens for keys anywhere in a card, with what the last render knows. */
export function useCardKeys(card: RefObject<HTMLElement | null>, onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const element = card.current
    const listen = (event: KeyboardEvent) => latest.current(event)
    element?.addEventListener('keydown', listen)
    return () => element?.removeEventListener('keydown', listen)
  }, [card])
}

/** Whether a key was meant for a field that is being written in. */
export const isInText = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea')
