import { type RefObject, useEffect, useRef } from 'react'
import { isShortcut } from '../state/shortcuts'

/** Listens for keys anywhere in a card. Always calls the `onKey` of the last render. */
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
 * Makes the key that allows also work in an empty message box, where it would send nothing: it answers the first card
 * in view.
 */
export function useEmptyComposerKey(
  card: RefObject<HTMLElement | null>,
  onAllow: (event: KeyboardEvent) => void,
): void {
  useExclusiveKey(
    (event) => isShortcut('allow', event) && isEmptyComposer(event.target) && firstInView() === card.current,
    onAllow,
  )
}

/**
 * Handles a key wherever it is pressed, before and instead of everything else that listens for it. Always calls the
 * functions of the last render.
 */
export function useExclusiveKey(
  isMeant: (event: KeyboardEvent) => boolean,
  onKey: (event: KeyboardEvent) => void,
): void {
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

/** The first card whose buttons are in view: nobody should answer a card they have not seen. */
function firstInView(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[data-approval-card]')].find((card) => {
    const { top, bottom, height } = (card.querySelector('.approval-foot') ?? card).getBoundingClientRect()
    return height > 0 && top >= 0 && bottom <= window.innerHeight
  })
}

/** Whether a key was pressed in a text field. */
export const isInText = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea')
