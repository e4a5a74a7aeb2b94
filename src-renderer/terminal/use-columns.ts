import { type RefObject, useEffect } from 'react'
import { attempt } from '../state/actions'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { FONT_SIZE } from './font-size'

/** What lies beside the text of a terminal in the deck: padding and border of its pane, and room for the scroll bar. */
const besidePx = 40
const fewest = 20

/** Tells main how many columns a terminal in the deck has, so that a program is never started for another width. */
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

/** As xterm.js measures it. */
function charWidth(element: HTMLElement, fontSize: number): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return fontSize
  context.font = `${fontSize}px ${getComputedStyle(element).getPropertyValue('--font-mono').trim() || 'monospace'}`
  return context.measureText('W').width
}
