import { type BrowserWindow, dialog } from 'electron'
import { type CallName, calls } from '../src-preload/contract/ipc'

/** How long after a key or a click a call may still come from it: a menu opens, a form is checked. */
const recentMs = 5_000

const meant = new Set(['mouseDown', 'rawKeyDown', 'keyDown', 'touchStart', 'gestureTap'])

/** How long a box that asks stays open before it counts as a no. */
const patienceMs = 120_000

interface Gestures {
  /** True when a key or a click came just now, or when somebody says yes to the question. */
  confirm(question: string): Promise<boolean>
  /** Somebody has answered a box of the operating system. */
  seen(): void
}

/**
 * Whether a person is at the window. A script in the page can make calls and events, but no input that the main process
 * sees; where none came, as with some screen readers, a box of the operating system asks instead.
 */
export function watchGestures(window: BrowserWindow): Gestures {
  let latest = Number.NEGATIVE_INFINITY
  let asking = false
  window.webContents.on('input-event', (_event, { type }) => {
    if (meant.has(type)) latest = performance.now()
  })
  return {
    seen: () => {
      latest = performance.now()
    },
    confirm: async (question) => {
      if (performance.now() - latest < recentMs) return true
      // A script that makes many calls gets one box, not a pile of them.
      if (asking) return false
      asking = true
      try {
        const { response } = await dialog.showMessageBox(window, {
          type: 'question',
          message: question,
          detail: 'No key or click led to this. If it was not you, say no.',
          buttons: ['No', 'Yes, it was me'],
          defaultId: 0,
          cancelId: 0,
          signal: AbortSignal.timeout(patienceMs),
        })
        return response === 1
      } finally {
        asking = false
      }
    },
  }
}

/** What a person has to be asked before this call is made, unless a key or a click led to it; null: nothing. */
export function questionFor(name: CallName, input: unknown): string | null {
  const { gesture } = calls[name]
  return gesture.by === 'person' ? gesture.ask(input) : null
}
