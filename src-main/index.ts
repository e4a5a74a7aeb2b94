import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { app, type BrowserWindow, dialog, ipcMain, Menu, nativeTheme, protocol } from 'electron'
import { appScheme } from './app-protocol'
import type { Engine } from './engine'
import { watchMishaps } from './mishaps'
import { fromLink, linkScheme, type OpenRequest, openRequestFrom } from './open-request'
import { isInstalled } from './own-process'
import { makeCacheFolder } from './storage/data-folder'
import { openWindow, setMenu } from './window'

/**
 * The Electron entry: window first, engine beside it, so that what can be seen never waits for what cannot. Whatever the
 * window can open without is imported after it was opened.
 */

protocol.registerSchemesAsPrivileged([
  { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
])

// Otherwise Electron makes a menu of its own while it starts, which ours then replaces.
Menu.setApplicationMenu(null)

const here = import.meta.dirname
const drawnWithinMs = 10_000
const closedWithinMs = 10_000
const flag = (name: string): string | undefined => app.commandLine.getSwitchValue(name) || undefined
const screenshot = flag('screenshot')
const theme = flag('theme')

const dataDir = resolve(app.getPath('userData'))
try {
  // Chromium's own caches stay out of the way of the user's data.
  const caches = makeCacheFolder(dataDir)
  app.setPath('sessionData', caches)
  // What the engine's code was compiled to, so that the next start need not do it again.
  enableCompileCache(join(caches, 'main-code'))
} catch (error) {
  dialog.showErrorBox('Deckhand cannot start', error instanceof Error ? error.message : String(error))
  app.exit(1)
}

let window: BrowserWindow | undefined
let engine: Promise<Engine> | undefined
let quitting = false
let leaving = false
/** What other programs have asked for, until the window can show it. */
const requests: OpenRequest[] = []
let greeted = false

if (app.requestSingleInstanceLock()) {
  watchMishaps(
    () => engine,
    () => window,
  )
  ask(openRequestFrom(process.argv, process.cwd()))
  app.on('second-instance', (_event, words, cwd) => {
    focusWindow()
    ask(openRequestFrom(words, cwd))
  })
  // How macOS hands over a link.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    ask(fromLink(link))
  })
  // On Linux the package's own entry does this.
  if (isInstalled() && process.platform !== 'linux') app.setAsDefaultProtocolClient(linkScheme)
  app.on('activate', () => (window ? focusWindow() : openMain()))
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', () => {
    quitting = true
  })
  app.on('will-quit', (event) => {
    if (!engine) return
    event.preventDefault()
    const closing = engine
    engine = undefined
    // The engine stops turns and processes in an orderly way; a fault in that must not keep the app alive.
    void closing
      .then((running) => running.close())
      .catch((error: unknown) => console.error('deckhand: closing failed:', error))
      // A second quit would be ignored while this one is prevented, and everything is closed by now.
      .finally(() => app.exit(0))
  })
  void app.whenReady().then(openMain)
} else if (screenshot) {
  console.error('deckhand: no screenshot: Deckhand is running already; quit it first, or use another --user-data-dir')
  app.exit(1)
} else {
  app.quit()
}

function openMain(): void {
  setMenu({
    reportProblem: () => void withWindow(async (open) => (await import('./help')).reportProblem(open, engine)),
    checkForUpdates: () =>
      void withWindow(async (open) => (await import('./help')).checkForUpdates(open, resolve(here, '../..'), engine)),
  })
  if (theme === 'light' || theme === 'dark') nativeTheme.themeSource = theme
  const opened = openWindow({
    dataDir,
    preload: join(here, '../preload/index.cjs'),
    rendererRoot: resolve(here, '../renderer'),
    show: !screenshot,
  })
  window = opened
  connect(opened)
  opened.on('close', (event) => confirmClose(event))
  opened.on('closed', () => {
    window = undefined
    // Also when the prompt box is there, hidden.
    app.quit()
  })
  opened.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || quitting) return
    // Not within the event: Electron has not yet let go of the dead page, and main would die with it.
    setImmediate(() => {
      if (!opened.isDestroyed()) opened.webContents.reload()
    })
  })
  if (screenshot) void photograph(opened, resolve(screenshot))
}

/** The page may call before the code that answers is there; then its call waits. */
function connect(opened: BrowserWindow): void {
  const join = async () => {
    engine ??= startEngine(untilDrawn(opened))
    const running = engine
    running.then(
      async () => {
        const { callAttention } = await import('./attention')
        callAttention(opened, running, focusWindow)
      },
      // The page tells what went wrong, and its next greeting is another try.
      () => {
        if (engine === running) engine = undefined
      },
    )
    const { connectWindow } = await import('./ipc')
    return connectWindow(opened, running)
  }
  let answering = join()
  ipcMain.handle('call', async (event, name: unknown, input: unknown) => {
    if (name === 'hello' && !engine && !quitting) answering = join()
    const answer = await (await answering)(event, name, input)
    if (name === 'hello' && answer.ok) {
      greeted = true
      setImmediate(followRequests)
    }
    return answer
  })
  opened.on('closed', () => {
    greeted = false
    ipcMain.removeHandler('call')
  })
}

function ask(request: OpenRequest | null): void {
  if (request) requests.push(request)
  followRequests()
}

function followRequests(): void {
  if (!greeted || !engine || requests.length === 0) return
  void engine.then(async (running) => {
    const { followRequest } = await import('./follow-request')
    for (const request of requests.splice(0)) followRequest(running, request)
  })
}

async function withWindow(work: (open: BrowserWindow) => Promise<void>): Promise<void> {
  if (window) await work(window)
}

async function photograph(opened: BrowserWindow, file: string): Promise<void> {
  const { takeScreenshot } = await import('./screenshot')
  const code = await takeScreenshot(opened, file)
  quitting = true
  // A start whose engine was not closed would look like a crash to the next one.
  const closed = engine?.then((started) => started.close()).catch(() => undefined)
  await Promise.race([closed, new Promise((over) => setTimeout(over, closedWithinMs))])
  app.exit(code)
}

/** A window that cannot be drawn, be it for want of a display, holds up nothing for ever. */
function untilDrawn(opened: BrowserWindow): Promise<void> {
  return new Promise((done) => {
    opened.once('ready-to-show', () => done())
    setTimeout(done, drawnWithinMs)
  })
}

async function startEngine(drawn: Promise<void>): Promise<Engine> {
  const [{ createEngine }, { desktopHost }] = await Promise.all([import('./compose'), import('./desktop-host')])
  const waiting = (text: string): void => window?.webContents.send('events', [{ type: 'note', text }])
  const started = await createEngine({
    dataDir,
    drawn,
    waiting,
    titles: true,
    ...desktopHost(join(here, 'pty-host.js')),
  })
  void drawn.then(async () => {
    const { stayReachable } = await import('./leaving/outside')
    stayReachable(started, join(here, '../preload/prompt.cjs'), {
      open: focusWindow,
      quit: () => quitFromOutside(started),
    })
  })
  if (!theme) nativeTheme.themeSource = started.settings.current().theme
  started.subscribe((event) => {
    if (event.type === 'settings' && !theme) nativeTheme.themeSource = event.settings.theme
  })
  return started
}

/** Closing the window hides it, or ends the app and its processes on this machine, as the user has said. */
function confirmClose(event: Electron.Event): void {
  if (quitting || !engine || !window) return
  event.preventDefault()
  if (leaving) return
  const asking = window
  leaving = true
  void engine
    .then(async (running) => {
      const { leave } = await import('./leaving/leave')
      if ((await leave(asking, running)) === 'stay') return
      quitting = true
      asking.close()
    })
    .finally(() => {
      leaving = false
    })
}

/** From the tray, where the window may be hidden. */
function quitFromOutside(running: Engine): void {
  void import('./quit-question').then(({ mayQuit }) => {
    if (mayQuit(window ?? null, running)) app.quit()
  })
}

function focusWindow(): void {
  if (!window) {
    openMain()
    return
  }
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
