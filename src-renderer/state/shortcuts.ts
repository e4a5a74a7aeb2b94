/**
 * All keyboard shortcuts of the window in one table: the handler, the palette, the tooltips and the help all read it.
 */

import { namesIn } from './names-in'
import { getState } from './store'

export type ShortcutGroup = 'General' | 'Chat' | 'Approvals' | 'Terminals'

interface Shortcut {
  label: string
  group: ShortcutGroup
  /** `Mod` is Cmd on a Mac and Ctrl elsewhere; other parts are modifiers or the `key` of a keyboard event. */
  keys: string
  /**
   * Where it works: anywhere in the window, or only in the part that has the focus, which handles it itself, so that
   * the same key may mean something else elsewhere.
   */
  where: 'window' | 'composer' | 'approval' | 'terminal'
}

export const shortcuts = {
  palette: { label: 'Command palette', group: 'General', keys: 'Mod+K', where: 'window' },
  'new-session': { label: 'New session', group: 'General', keys: 'Mod+N', where: 'window' },
  'switch-session': { label: 'Switch session', group: 'General', keys: 'Mod+P', where: 'window' },
  search: { label: 'Search all sessions', group: 'General', keys: 'Mod+Shift+F', where: 'window' },
  'toggle-sidebar': { label: 'Show or hide sessions', group: 'General', keys: 'Mod+B', where: 'window' },
  'toggle-deck': { label: 'Show or hide the deck', group: 'General', keys: 'Mod+J', where: 'window' },
  'toggle-review': { label: 'Show or hide the review', group: 'General', keys: 'Mod+Shift+D', where: 'window' },
  settings: { label: 'Settings', group: 'General', keys: 'Mod+,', where: 'window' },
  shortcuts: { label: 'Keyboard shortcuts', group: 'General', keys: '?', where: 'window' },

  'focus-composer': { label: 'Focus message box', group: 'Chat', keys: 'Mod+L', where: 'window' },
  send: { label: 'Send', group: 'Chat', keys: 'Enter', where: 'composer' },
  newline: { label: 'New line', group: 'Chat', keys: 'Shift+Enter', where: 'composer' },
  steer: { label: 'Send while it is working', group: 'Chat', keys: 'Mod+Enter', where: 'composer' },
  'find-in-chat': { label: 'Find in this chat', group: 'Chat', keys: 'Mod+F', where: 'window' },
  stop: { label: 'Stop', group: 'Chat', keys: 'Escape', where: 'window' },

  'next-approval': { label: 'Next approval', group: 'Approvals', keys: 'Mod+Shift+A', where: 'window' },
  inbox: { label: 'Inbox', group: 'Approvals', keys: 'Mod+I', where: 'window' },
  allow: { label: 'Allow once', group: 'Approvals', keys: 'Mod+Enter', where: 'approval' },
  'allow-all': { label: 'Allow all calls of a message', group: 'Approvals', keys: 'Mod+Alt+Enter', where: 'approval' },
  'allow-session': { label: 'Allow for this session', group: 'Approvals', keys: 'Mod+Shift+Enter', where: 'approval' },
  'allow-rule': { label: 'Always allow', group: 'Approvals', keys: 'R', where: 'approval' },
  'try-command': { label: 'Try the command in a copy', group: 'Approvals', keys: 'T', where: 'approval' },
  'keep-copy': { label: 'Keep a copy first', group: 'Approvals', keys: 'K', where: 'approval' },
  'edit-command': { label: 'Edit the command', group: 'Approvals', keys: 'E', where: 'approval' },
  deny: { label: 'Deny', group: 'Approvals', keys: 'Mod+Backspace', where: 'approval' },
  'deny-note': { label: 'Deny with a note', group: 'Approvals', keys: 'N', where: 'approval' },

  'next-pane': { label: 'Next terminal', group: 'Terminals', keys: 'F6', where: 'window' },
  'move-pane-back': { label: 'Move terminal up', group: 'Terminals', keys: 'Alt+Shift+ArrowUp', where: 'terminal' },
  'move-pane-on': { label: 'Move terminal down', group: 'Terminals', keys: 'Alt+Shift+ArrowDown', where: 'terminal' },
  'new-terminal': { label: 'New terminal', group: 'Terminals', keys: 'Mod+Shift+T', where: 'window' },
  'find-in-terminal': { label: 'Find in the terminal', group: 'Terminals', keys: 'Mod+Shift+G', where: 'terminal' },
  'terminal-copy': { label: 'Copy from the terminal', group: 'Terminals', keys: 'Mod+Shift+C', where: 'terminal' },
  'terminal-paste': { label: 'Paste into the terminal', group: 'Terminals', keys: 'Mod+Shift+V', where: 'terminal' },
} as const satisfies Record<string, Shortcut>

export type ShortcutId = keyof typeof shortcuts
export const shortcutIds: readonly ShortcutId[] = namesIn(shortcuts)

export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

const isMac = () => typeof navigator !== 'undefined' && /Mac/.test(navigator.platform)

/** Whether a key press matches these keys. A bare character such as `?` matches however it is typed. */
export function matches(keys: string, press: KeyPress, mac = isMac()): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const wanted = new Set(parts.slice(0, -1))
  const mod = mac ? press.metaKey : press.ctrlKey
  const otherMod = mac ? press.ctrlKey : press.metaKey
  const symbol = key.length === 1 && key.toLowerCase() === key.toUpperCase()
  return (
    press.key.toLowerCase() === key.toLowerCase() &&
    mod === wanted.has('Mod') &&
    !otherMod &&
    press.altKey === wanted.has('Alt') &&
    (symbol || press.shiftKey === wanted.has('Shift'))
  )
}

export const isShortcut = (id: ShortcutId, press: KeyPress, mac = isMac()) => matches(keysOf(id), press, mac)

/** The keys of a shortcut: the user's own, otherwise the default. */
export function keysOf(id: ShortcutId): string {
  const changed = getState().settings?.keyBindings
  return changed && Object.hasOwn(changed, id) ? (changed[id] ?? shortcuts[id].keys) : shortcuts[id].keys
}

/** The shortcut that already has these keys in the same place or in the whole window. */
export function conflictOf(id: ShortcutId, keys: string): ShortcutId | null {
  const same = (other: ShortcutId) =>
    other !== id &&
    keysOf(other).toLowerCase() === keys.toLowerCase() &&
    (shortcuts[other].where === shortcuts[id].where ||
      shortcuts[other].where === 'window' ||
      shortcuts[id].where === 'window')
  return shortcutIds.find(same) ?? null
}

/** The pressed keys in the notation of a shortcut; null while only modifiers are held. */
export function pressedKeys(press: KeyPress, mac = isMac()): string | null {
  if (['Control', 'Meta', 'Alt', 'Shift', 'Dead', 'Unidentified'].includes(press.key)) return null
  const symbol = press.key.length === 1 && press.key.toLowerCase() === press.key.toUpperCase()
  const parts = [
    (mac ? press.metaKey : press.ctrlKey) && 'Mod',
    press.altKey && 'Alt',
    press.shiftKey && !symbol && 'Shift',
    press.key.length === 1 ? press.key.toUpperCase() : press.key,
  ]
  return parts.filter(Boolean).join('+')
}

/** The window-wide shortcut of a key press, if any. */
export function windowShortcut(press: KeyPress, mac = isMac()): ShortcutId | null {
  return shortcutIds.find((id) => shortcuts[id].where === 'window' && matches(keysOf(id), press, mac)) ?? null
}

const arrows = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }
const macSigns: Record<string, string> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
  Backspace: '⌫',
  Escape: 'Esc',
  ...arrows,
}
const plainSigns: Record<string, string> = { Mod: 'Ctrl', Escape: 'Esc', ...arrows }

/** The keys as printed on this machine's keyboard: `['Ctrl', 'K']`. */
export const keyLabels = (id: ShortcutId, mac = isMac()): string[] => labelsOf(keysOf(id), mac)

export function labelsOf(keys: string, mac = isMac()): string[] {
  const signs = mac ? macSigns : plainSigns
  return keys.split('+').map((part) => signs[part] ?? part)
}
