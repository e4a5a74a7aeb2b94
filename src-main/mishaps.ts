import { app, type BrowserWindow, dialog } from 'electron'
import type { Engine } from './engine'

/**
 * Faults that nobody expected. Everything that was acknowledged is saved by then, so that the app can go on or start anew:
 * the user decides, and the log keeps what happened.
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
    if (asking) return
    asking = true
    const restart = await offerRestart(window(), error)
    asking = false
    if (!restart) return
    app.relaunch()
    app.quit()
  }
  process.on('uncaughtException', (error) => void tell(error))
  process.on('unhandledRejection', (error) => void tell(error))
}

async function offerRestart(window: BrowserWindow | undefined, error: unknown): Promise<boolean> {
  const question = {
    type: 'error' as const,
    message: 'Something went wrong inside Deckhand.',
    detail: `${error instanceof Error ? error.message : String(error)}\n\nWhat was said and done so far is saved.`,
    buttons: ['Go on', 'Restart Deckhand'],
    defaultId: 0,
    cancelId: 0,
  }
  const { response } = await (window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question))
  return response === 1
}
