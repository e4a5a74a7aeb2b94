import { isShortcut, type KeyPress, windowShortcut } from '../state/shortcuts'

/** Keys that mean something to the pane itself; all others belong to the program. */
export type PaneKey =
  | 'copy'
  | 'paste'
  | 'search'
  | 'leave'
  | 'to-top'
  | 'to-end'
  | 'larger'
  | 'smaller'
  | 'reset-size'
  /** A shortcut of the window: neither the pane nor the program gets it. */
  | 'window'

/**
 * Programs own Ctrl with a letter, so the pane and the window only use keys with Shift as well, or function keys. If
 * the program has ended, Ctrl+F finds text as everywhere else. The command key of a Mac never reaches programs.
 */
export function paneKey(press: KeyPress, state: { running: boolean; mac: boolean }): PaneKey | null {
  const { running, mac } = state
  const main = mac ? press.metaKey : press.ctrlKey
  if (isShortcut('terminal-copy', press, mac)) return 'copy'
  if (isShortcut('terminal-paste', press, mac)) return 'paste'
  if (isShortcut('find-in-terminal', press, mac)) return 'search'
  if (main && press.key.toLowerCase() === 'f' && !press.shiftKey && (mac || !running)) return 'search'
  if (main && press.shiftKey && press.key === 'Escape') return 'leave'
  if (main && press.shiftKey && press.key === 'Home') return 'to-top'
  if (main && press.shiftKey && press.key === 'End') return 'to-end'
  if (main && !press.altKey) {
    if (press.key === '+' || press.key === '=') return 'larger'
    if (press.key === '-' || press.key === '_') return 'smaller'
    if (press.key === '0') return 'reset-size'
  }
  const forWindow = windowShortcut(press, mac) !== null
  const beyondPrograms = /^F\d+$/.test(press.key) || (main && (press.shiftKey || mac))
  return forWindow && beyondPrograms ? 'window' : null
}
