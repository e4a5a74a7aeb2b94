import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  Menu,
  nativeTheme,
  type Session,
  screen,
  shell,
  type WebContents,
} from 'electron'
import { appOrigin, appScheme, fileFor } from './app-protocol'
import { placeFor } from './window-place'

interface WindowOptions {
  dataDir: string
  preload: string
  rendererRoot: string
  /** Hidden until it is drawn; never shown at all when it is only there to be photographed. */
  show: boolean
}

/** The one window: sandboxed, unable to navigate, open other windows or be granted anything. */
export function openWindow({ dataDir, preload, rendererRoot, show }: WindowOptions): BrowserWindow {
  const placeFile = join(dataDir, 'window.json')
  const { maximized, ...bounds } = placeFor(readPlace(placeFile), (near) => screen.getDisplayMatching(near).workArea)
  const options: BrowserWindowConstructorOptions = {
    ...bounds,
    minWidth: 720,
    minHeight: 480,
    title: 'Deckhand',
    show: false,
    autoHideMenuBar: true,
    // The page's own background, so that nothing flashes while it loads.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14181b' : '#fbfcfc',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: true,
      // Streams and terminals go on while another window is in front.
      backgroundThrottling: false,
      // What the page's code was compiled to is kept from the first start on, not from the third.
      v8CacheOptions: 'bypassHeatCheck',
    },
  }
  const window = new BrowserWindow(options)
  if (maximized) window.maximize()
  // The title tells how many questions wait; the page's own would overwrite it.
  window.on('page-title-updated', (event) => event.preventDefault())
  confine(window.webContents)
  servedFrom = rendererRoot
  serveWindowFiles(window.webContents.session)
  window.once('ready-to-show', () => show && window.show())
  window.on('close', () => {
    try {
      writeFileSync(placeFile, JSON.stringify({ ...window.getNormalBounds(), maximized: window.isMaximized() }))
    } catch (error) {
      // Where the window was is no reason to keep it from closing.
      console.error('deckhand: the place of the window could not be saved:', error)
    }
  })
  void window.loadURL(`${appOrigin}/`)
  return window
}

/**
 * Chromium reads the files itself. The newer `protocol.handle` would have them pass through here as answers of `fetch`, whose
 * code takes longer to load than all of ours, and it is needed before the first byte of the page.
 */
export function serveWindowFiles({ protocol }: Session): void {
  if (protocol.isProtocolRegistered(appScheme)) return
  protocol.registerFileProtocol(appScheme, (request, answer) => answer(fileFor(servedFrom, request) ?? notFound))
}

let servedFrom = ''

const notFound = { error: -6 }

/** A page goes nowhere, opens nothing, and is granted nothing. */
export function confine(webContents: WebContents): void {
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  webContents.on('will-navigate', (event) => event.preventDefault())
  webContents.on('will-frame-navigate', (event) => event.preventDefault())
  webContents.on('will-attach-webview', (event) => event.preventDefault())
  webContents.session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  webContents.session.setPermissionCheckHandler(() => false)
  webContents.session.setDevicePermissionHandler(() => false)
  webContents.session.on('will-download', (event) => event.preventDefault())
}

/** Opens a link in the user's browser, if it is one that a browser should get. */
export async function openLink(address: string): Promise<boolean> {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  if (url.username || url.password) return false
  await shell.openExternal(url.href)
  return true
}

/** Edit, zoom and help only: a terminal needs Ctrl-R and Ctrl-W for itself. */
export function setMenu(help: { reportProblem(): void; checkForUpdates(): void }): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
      { role: 'editMenu' },
      {
        label: 'View',
        submenu: [
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { type: 'separator' },
          { role: 'togglefullscreen' },
        ],
      },
      ...(process.platform === 'darwin' ? [{ role: 'windowMenu' as const }] : []),
      {
        role: 'help',
        submenu: [
          { label: 'Report a problem…', click: help.reportProblem },
          { label: 'Check for updates…', click: help.checkForUpdates },
        ],
      },
    ]),
  )
}

/** As it was written when the window was closed; nothing when there is no such file yet, or one that was spoilt. */
function readPlace(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
