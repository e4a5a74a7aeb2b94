import { type RefObject, useEffect } from 'react'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { FONT_SIZE } from './font-size'

/** The space beside the text of a terminal in the deck: padding and border of its pane, and the scroll bar. */
const besidePx = 40
const fewest = 20

/** Tells main how many columns a terminal in the deck has, so that programs start with the right width. */
export function useColumns(deck: RefObject<HTMLElement | null>): void {
  const fontSize = useDeckhand((state) => state.settings?.terminalFontSize ?? FONT_SIZE.usual)
  useEffect(() => {
    const element = deck.current
    if (!element) return
    const width = charWidth(element, fontSize)
    let told = 0
    const observer = new ResizeObserver(() => {
      const cols = Math.floor((element.clientWidth - besidePx) / width)
      if (cols === told || cols < fewest) return
      told = cols
      attempt(call('terminal.columns', { cols }))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [deck, fontSize])
}

/**
 * The same while the deck is closed, for the width that it will have: a first command starts before the deck opens, and
 * a program that is resized right away draws twice.
 */
export function useExpectedColumns(closed: boolean): void {
  const fontSize = useDeckhand((state) => state.settings?.terminalFontSize ?? FONT_SIZE.usual)
  const sidebarOpen = useDeckhand((state) => state.sidebarOpen)
  const { side, deck } = useDeckhand((state) => state.widths)
  useEffect(() => {
    if (!closed) return
    const tell = () => {
      const rest = window.innerWidth - (sidebarOpen ? side : 0)
      const cols = Math.floor(((rest * deck) / 100 - besidePx) / charWidth(document.body, fontSize))
      if (cols >= fewest) attempt(call('terminal.columns', { cols }))
    }
    // Nothing visible waits for it.
    const waiting = requestIdleCallback(tell, { timeout: 1000 })
    window.addEventListener('resize', tell)
    return () => {
      cancelIdleCallback(waiting)
      window.removeEventListener('resize', tell)
    }
  }, [closed, fontSize, sidebarOpen, side, deck])
}

/** Measured as xterm.js does. */
function charWidth(element: HTMLElement, fontSize: number): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return fontSize
  context.font = `${fontSize}px ${getComputedStyle(element).getPropertyValue('--font-mono').trim() || 'monospace'}`
  return context.measureText('W').width
}
