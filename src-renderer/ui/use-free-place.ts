import { type RefObject, useLayoutEffect } from 'react'
import { type Box, freePlace, overlap } from './free-place'

const controls = 'button, a[href], input, select, textarea, [role=button], [role=tab], [role=switch], [role=combobox]'
const lookAgainMs = 400

/**
 * Keeps a floating element off the controls of the window, even if others appear under it, but not while it is being
 * used. `entries` is the number of things it shows now.
 */
export function useFreePlace(floating: RefObject<HTMLElement | null>, entries: number): void {
  useLayoutEffect(() => {
    if (entries === 0) return
    const toCorner = (): void => {
      const style = floating.current?.style
      for (const side of ['left', 'top', 'right', 'bottom']) style?.removeProperty(side)
    }
    const place = (): void => {
      const element = floating.current
      if (!element || element.matches(':hover, :focus-within')) return
      const box = element.getBoundingClientRect()
      const taken = controlsBeside(element)
      if (!isCut(box) && taken.every((each) => overlap(box, each) === 0)) return
      const { left, top } = freePlace(box, { width: innerWidth, height: innerHeight }, taken)
      Object.assign(element.style, { left: `${left}px`, top: `${top}px`, right: 'auto', bottom: 'auto' })
    }
    const anew = (): void => {
      toCorner()
      place()
    }
    if (entries === 1) toCorner()
    place()
    const timer = setInterval(place, lookAgainMs)
    addEventListener('resize', anew)
    return () => {
      clearInterval(timer)
      removeEventListener('resize', anew)
    }
  }, [floating, entries])
}

const isCut = (box: Box): boolean => box.top + box.height > innerHeight || box.left + box.width > innerWidth

/** The visible controls: not those that are scrolled out of view, or covered by something open. */
function controlsBeside(floating: HTMLElement): Box[] {
  return [...document.querySelectorAll(controls)].flatMap((control) => {
    if (floating.contains(control)) return []
    if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    const box = control.getBoundingClientRect()
    const middle = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    const top = middle.find((each) => !floating.contains(each))
    return top && (control.contains(top) || top.contains(control)) ? [box] : []
  })
}
