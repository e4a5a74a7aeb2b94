import { type BrowserWindow, dialog } from 'electron'
import type { Engine } from '../engine'
import { mayQuit } from '../quit-question'
import { type AtWork, atWorkWords, onClose } from './close-window'

/** The user closes the window: it is hidden, or the app may quit. Asked once; the answer is kept as a setting. */
export async function leave(window: BrowserWindow, engine: Engine): Promise<'quit' | 'stay'> {
  const work = atWork(engine)
  let way = onClose(engine.settings.current().onClose, work)
  if (way === 'ask') {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: 'Keep Deckhand running in the background?',
      detail: `${atWorkWords(work)}\n\nWork continues in the background. Click the tray icon or start Deckhand again to reopen the window. You can change this in Settings.`,
      buttons: ['Keep running', 'Quit', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
    })
    if (response === 2) return 'stay'
    way = response === 0 ? 'hide' : 'quit'
    engine.updateSettings({ onClose: way === 'hide' ? 'background' : 'quit' })
    // What would be lost was said just now.
    if (way === 'quit') return 'quit'
  }
  if (way === 'quit') return mayQuit(window, engine) ? 'quit' : 'stay'
  window.hide()
  return 'stay'
}

const atWork = ({ runner, store, nodes, schedule }: Engine): AtWork => ({
  turns: store.sessions.list().filter(({ status }) => status === 'running').length,
  questions: runner.questions().length,
  processes: nodes.registry.get('local')?.processes ?? 0,
  jobs: schedule.list().jobs.filter(({ enabled }) => enabled).length,
})
