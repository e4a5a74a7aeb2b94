import { type BrowserWindow, dialog, type MessageBoxSyncOptions } from 'electron'
import type { Engine } from './engine'
import { unsavedWords } from './storage/unsaved-words'

/** Asks before the app quits, where that would end or lose something. False: the user wants to stay. */
export function mayQuit(parent: BrowserWindow | null, { nodes, store }: Engine): boolean {
  // What runs on other machines goes on there.
  const count = nodes.registry.get('local')?.processes ?? 0
  const unsaved = tryToSave(store)
  if (count === 0 && unsaved === null) return true
  const box: MessageBoxSyncOptions = {
    type: unsaved === null ? 'question' : 'warning',
    message: unsaved?.message ?? runningWords(count),
    detail: unsaved?.detail ?? 'They stop when Deckhand quits. Their output is kept.',
    buttons: [unsaved === null ? 'Stop and quit' : 'Quit without saving', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  }
  return (parent?.isVisible() ? dialog.showMessageBoxSync(parent, box) : dialog.showMessageBoxSync(box)) === 0
}

const runningWords = (count: number): string =>
  count === 1 ? 'A process is still running.' : `${count} processes are still running.`

/** What cannot be saved even now; `null` where everything is. */
function tryToSave({ unsaved }: Engine['store']): { message: string; detail: string } | null {
  try {
    unsaved.flush()
    return null
  } catch (error) {
    const words = unsavedWords(unsaved.keys())
    const detail = words === '' ? 'The latest changes would be lost.' : `This would be lost: ${words}.`
    return { message: error instanceof Error ? error.message : String(error), detail }
  }
}
