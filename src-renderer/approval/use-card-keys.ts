import { type RefObject, useEffect, useRef } from 'react'
import { isShortcut } from '../state/shortcuts'

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

/**
 * The key that allows also works from an empty message box, where it would send nothing: it answers the first card that is
 * in view.
 */
export function useEmptyComposerKey(
  card: RefObject<HTMLElement | null>,
  onAllow: (event: KeyboardEvent) => void,
): void {
  useTakenKey(
    (event) => isShortcut('allow', event) && isEmptyComposer(event.target) && firstInView() === card.current,
    onAllow,
  )
}

/** Keeps a key, wherever it is pressed, from everything else that listens for it. With what the last render knows. */
export function useTakenKey(isMeant: (event: KeyboardEvent) => boolean, onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef({ isMeant, onKey })
  latest.current = { isMeant, onKey }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!latest.current.isMeant(event)) return
      event.preventDefault()
      event.stopPropagation()
      latest.current.onKey(event)
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [])
}

export const isEmptyComposer = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement && target.matches('[data-composer]') && target.value.trim() === ''

/** The first card whose answers can be seen: nobody should answer what they have not. */
function firstInView(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[data-approval-card]')].find((card) => {
    const { top, bottom, height } = (card.querySelector('.approval-foot') ?? card).getBoundingClientRect()
    return height > 0 && top >= 0 && bottom <= window.innerHeight
  })
}

/** Whether a key was meant for a field that is being written in. */
export const isInText = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea')
