import { usualWidths, type Widths } from '../layout/widths'

/**
 * The state of the window at its last use: sizes, what is open, unsent text. Facts about sessions are only kept by
 * main.
 */
export interface Preferences {
  selectedId: string | null
  sidebarOpen: boolean
  deckOpen: boolean
  widths: Widths
  drafts: Record<string, string>
  /** Whether long lines of code wrap instead of scrolling. */
  wrapCode: boolean
}

const defaults: Preferences = {
  selectedId: null,
  sidebarOpen: true,
  deckOpen: true,
  widths: usualWidths,
  drafts: {},
  wrapCode: false,
}

const key = 'deckhand.window'

export function loadPreferences(storage: Pick<Storage, 'getItem'> | undefined): Preferences {
  const saved = storage?.getItem(key)
  if (!saved) return defaults
  try {
    const kept: Partial<Preferences> = JSON.parse(saved)
    return { ...defaults, ...kept }
  } catch (error) {
    console.warn('The saved window layout could not be read; using the usual one.', error)
    return defaults
  }
}

export function savePreferences(storage: Pick<Storage, 'setItem'> | undefined, preferences: Preferences): void {
  storage?.setItem(key, JSON.stringify(preferences))
}
