import { app, type BrowserWindow, dialog } from 'electron'
import type { Engine } from './engine'
import { StorageError } from './storage/storage-error'
import { unsavedWords } from './storage/unsaved-words'

/**
 * Faults that nobody expected. The app can go on or start anew: the user decides, and the log keeps what happened. A disk
 * that is full is no such fault: it is told in the window, and what waits is saved when there is space.
 */
export function watchMishaps(engine: () => Promise<Engine> | undefined, window: () => BrowserWindow | undefined): void {
  // Node would open its debugger to whoever sends this signal.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined)
  let asking = false

  const tell = async (error: unknown): Promise<void> => {
    console.error('deckhand:', error)
    // An engine that did not start is the very fault that is told of.
    const running = await engine()?.catch(() => undefined)
    running?.log.error('Something went wrong that nobody expected', { error })
    if (error instanceof StorageError && running) {
      running.publish({ type: 'note', text: `${error.message} ${error.hint}` })
      return
    }
    if (asking) return
    asking = true
    const restart = await offerRestart(window(), error, running?.store.unsaved.keys() ?? null)
    asking = false
    if (!restart) return
    app.relaunch()
    app.quit()
  }
  process.on('uncaughtException', (error) => void tell(error))
  process.on('unhandledRejection', (error) => void tell(error))
}

/** `unsaved`: what waits to be saved; `null` where that is not known, since nothing is running. */
async function offerRestart(
  window: BrowserWindow | undefined,
  error: unknown,
  unsaved: readonly string[] | null,
): Promise<boolean> {
  const question = {
    type: 'error' as const,
    message: 'Something went wrong inside Deckhand.',
    detail: [error instanceof Error ? error.message : String(error), savedWords(unsaved)].join('\n\n'),
    buttons: ['Continue', 'Restart Deckhand'],
    defaultId: 0,
    cancelId: 0,
  }
  const { response } = await (window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question))
  return response === 1
}

function savedWords(unsaved: readonly string[] | null): string {
  if (unsaved === null) return ''
  if (unsaved.length === 0) return 'What was said and done so far is saved.'
  return `Not saved yet: ${unsavedWords(unsaved) || 'the latest changes'}. A restart would lose that.`
}
