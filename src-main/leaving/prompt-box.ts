import { BrowserWindow, globalShortcut, ipcMain, nativeTheme, screen } from 'electron'
import { type PromptReply, type PromptWish, promptWish } from '../../src-preload/contract/prompt-box'
import { appOrigin } from '../app-protocol'
import type { Engine } from '../engine'
import { watchGestures } from '../user-gesture'
import { confine } from '../window'
import { promptShortcutWords } from './prompt-words'

interface PromptBox {
  show(): void
}

interface PromptBoxOptions {
  preload: string
  openSession(sessionId: string): void
}

/** A small window in which a message is written from anywhere; it begins a session in the usual folder. */
export function createPromptBox(engine: Engine, { preload, openSession }: PromptBoxOptions): PromptBox {
  let box: BrowserWindow | null = null

  const open = (): BrowserWindow => {
    const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint())
    const width = Math.min(640, workArea.width)
    const made = new BrowserWindow({
      width,
      height: 150,
      x: Math.round(workArea.x + (workArea.width - width) / 2),
      y: Math.round(workArea.y + workArea.height / 4),
      title: 'Deckhand prompt',
      show: false,
      frame: false,
      resizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#14181b' : '#fbfcfc',
      webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false },
    })
    confine(made.webContents)
    made.on('page-title-updated', (event) => event.preventDefault())
    const gestures = watchGestures(made)
    ipcMain.handle('prompt', async (event, given: unknown) => {
      if (event.sender !== made.webContents || event.senderFrame?.url !== `${appOrigin}/prompt.html`)
        return { error: 'This page may not make calls.' }
      const parsed = promptWish.safeParse(given)
      if (!parsed.success) return { error: 'This cannot be sent.' }
      return answer(parsed.data, gestures.confirm)
    })
    made.on('closed', () => {
      ipcMain.removeHandler('prompt')
      box = null
    })
    made.on('blur', () => {
      if (!made.webContents.isDevToolsOpened()) made.hide()
    })
    made.once('ready-to-show', () => {
      made.show()
      made.focus()
    })
    void made.loadURL(`${appOrigin}/prompt.html`)
    return made
  }

  const answer = async (wish: PromptWish, confirm: (question: string) => Promise<boolean>): Promise<PromptReply> => {
    if (wish.type === 'info') return { folder: engine.settings.current().defaultWorkspace }
    if (wish.type === 'close') {
      box?.close()
      return {}
    }
    if (!(await confirm('Send a message to the agent?'))) return { error: 'Only you can do that.' }
    try {
      const { id } = engine.createSession({})
      engine.runner.send(id, wish.text, [])
      box?.close()
      if (wish.open) openSession(id)
      return {}
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  return {
    show() {
      if (!box) {
        box = open()
        return
      }
      box.show()
      box.focus()
    },
  }
}

/** Opens the box by a key from anywhere, as the settings say. A key that cannot be had is told of. */
export function listenForPrompt(engine: Engine, box: PromptBox): void {
  let registered = ''
  const follow = (wanted: string) => {
    if (wanted === registered) return
    if (registered !== '') globalShortcut.unregister(registered)
    registered = wanted
    if (wanted !== '' && !register(wanted, box.show))
      engine.publish({ type: 'note', text: promptShortcutWords(wanted) })
  }
  follow(engine.settings.current().promptShortcut)
  engine.subscribe((event) => {
    if (event.type === 'settings') follow(event.settings.promptShortcut)
  })
}

function register(accelerator: string, run: () => void): boolean {
  try {
    return globalShortcut.register(accelerator, run) && globalShortcut.isRegistered(accelerator)
  } catch {
    // What is no name of a key is refused like one that is taken.
    return false
  }
}
