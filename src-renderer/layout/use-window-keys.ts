import { useEffect } from 'react'
import { runShortcut } from '../state/commands'
import { keysOf, type ShortcutId, windowShortcut } from '../state/shortcuts'

/** Handles the keys that work anywhere in the window. */
export function useWindowKeys(): void {
  useEffect(() => {
    // A terminal consumes every key it gets, so the few that lead out of it are handled before.
    const before = (event: KeyboardEvent) => {
      if (isInTerminal(event)) press(event, leadsOutOfTerminal)
    }
    const after = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isInTerminal(event)) return
      const typing = isTyping(event)
      press(event, (id) => !typing || keysOf(id).length > 1)
    }
    window.addEventListener('keydown', before, { capture: true })
    window.addEventListener('keydown', after)
    return () => {
      window.removeEventListener('keydown', before, { capture: true })
      window.removeEventListener('keydown', after)
    }
  }, [])
}

function press(event: KeyboardEvent, applies: (id: ShortcutId) => boolean): void {
  const id = windowShortcut(event)
  if (!id || !applies(id) || event.isComposing) return
  if (!runShortcut(id)) return
  event.preventDefault()
  event.stopPropagation()
}

/** Ctrl with a letter, Escape and `?` belong to the program in the terminal. */
function leadsOutOfTerminal(id: ShortcutId): boolean {
  const keys = keysOf(id)
  const mac = /Mac/.test(navigator.platform)
  return keys.startsWith('Mod+Shift+') || keys === 'F6' || (mac && keys.startsWith('Mod+'))
}

const isInTerminal = (event: KeyboardEvent) =>
  event.target instanceof Element && event.target.closest('.xterm') !== null

const isTyping = (event: KeyboardEvent) =>
  event.target instanceof HTMLElement &&
  (event.target.isContentEditable || event.target.matches('input, textarea, select'))
