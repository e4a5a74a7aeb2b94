import { type RefObject, useEffect } from 'react'
import { call } from '../state/bridge'

/** Elements over the window that the page would cover. */
const inFront = '[role="dialog"], [role="alertdialog"], [data-radix-popper-content-wrapper], .ui-toast'

/**
 * Keeps the page that main draws over the space left for it, and hides it behind menus and dialogs: those are part of
 * the window, and the page is always in front of the window.
 */
export function usePlacedPage(room: RefObject<HTMLElement | null>, shown: boolean): void {
  useEffect(() => {
    const element = room.current
    if (!element || !shown) return
    let last = ''
    let frame = 0
    const place = () => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const visible = width > 0 && height > 0 && element.checkVisibility() && !isCovered(element)
      const box = visible ? { x: Math.max(0, x), y: Math.max(0, y), width, height } : null
      const next = JSON.stringify(box)
      if (next === last) return
      last = next
      // The page may have been closed meanwhile.
      call('preview.place', { box }).catch(() => {})
    }
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(place)
    }
    const sizes = new ResizeObserver(soon)
    sizes.observe(element)
    sizes.observe(document.body)
    const layers = new MutationObserver(soon)
    layers.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('resize', soon)
    soon()
    return () => {
      sizes.disconnect()
      layers.disconnect()
      cancelAnimationFrame(frame)
      window.removeEventListener('resize', soon)
      call('preview.place', { box: null }).catch(() => {})
    }
  }, [room, shown])
}

function isCovered(element: HTMLElement): boolean {
  const room = element.getBoundingClientRect()
  return [...document.querySelectorAll(inFront)].some((layer) => {
    if (layer.contains(element)) return false
    const { left, right, top, bottom } = layer.getBoundingClientRect()
    return left < room.right && right > room.left && top < room.bottom && bottom > room.top
  })
}
