/** What a key means to the pane itself; everything else belongs to the program. */
export type PaneKey =
  | 'copy'
  | 'paste'
  | 'search'
  | 'leave'
  | 'next-pane'
  | 'previous-pane'
  | 'larger'
  | 'smaller'
  | 'reset-size'
  /** One of the window's own shortcuts: neither the pane nor the program gets it. */
  | 'window'

export interface Key {
  key: string
  code: string
  ctrlKey: boolean
  shiftKey: boolean
  altKey: boolean
  metaKey: boolean
}

/**
 * Programs own Ctrl and a letter, so the pane takes Ctrl+Shift (or the command key of a Mac). A pane whose program has
 * ended needs no Ctrl+F for it, and there the key finds text as it does everywhere else.
 */
export function paneKey(key: Key, state: { running: boolean; mac: boolean }): PaneKey | null {
  if (key.key === 'F6') return 'window'
  const main = state.mac ? key.metaKey : key.ctrlKey
  if (!main || key.altKey) return null
  if (key.shiftKey && key.key === 'Escape') return 'leave'
  const letter = key.key.toLowerCase()
  if (state.mac ? !key.shiftKey : key.shiftKey) {
    if (letter === 'c') return 'copy'
    if (letter === 'v') return 'paste'
    if (letter === 'f') return 'search'
  }
  if (letter === 'f' && !state.running) return 'search'
  if (key.shiftKey && key.code === 'ArrowDown') return 'next-pane'
  if (key.shiftKey && key.code === 'ArrowUp') return 'previous-pane'
  if (key.key === '+' || key.key === '=') return 'larger'
  if (key.key === '-' || key.key === '_') return 'smaller'
  if (key.key === '0') return 'reset-size'
  return key.shiftKey || state.mac ? 'window' : null
}
