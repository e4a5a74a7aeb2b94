import { call } from '../state/bridge'
import { getState } from '../state/store'
import { announce, attempt } from '../state/toasts'

export const FONT_SIZE = { min: 8, max: 32, usual: 13 }

/** The next size in whole steps, so that going up and down again returns to it. */
export function nextFontSize(size: number, change: 'larger' | 'smaller' | 'reset-size'): number {
  if (change === 'reset-size') return FONT_SIZE.usual
  const next = change === 'larger' ? Math.floor(size) + 1 : Math.ceil(size) - 1
  return Math.min(FONT_SIZE.max, Math.max(FONT_SIZE.min, next))
}

/** Changes the font size of all terminals and saves it. */
export function changeFontSize(change: 'larger' | 'smaller' | 'reset-size'): void {
  const { settings } = getState()
  if (!settings) return
  const terminalFontSize = nextFontSize(settings.terminalFontSize, change)
  if (terminalFontSize === settings.terminalFontSize) return
  attempt(call('settings.update', { terminalFontSize }).then(() => announce(`Terminal font size ${terminalFontSize}`)))
}
