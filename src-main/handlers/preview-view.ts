import { type BrowserWindow, type Rectangle, type WebContents, WebContentsView } from 'electron'
import type { Attachment } from '../../src-preload/contract/messages'
import type { Preview, PreviewLine } from '../../src-preload/contract/preview'
import { mayReach } from './preview-rules'

const mostLines = 200
const longestLine = 2000
/** A port may have come a moment ago. */
const portsFreshMs = 1000
const publishMs = 100

interface PreviewOptions {
  window: BrowserWindow
  /** Ports that processes of a session listen on. */
  portsOf(sessionId: string): number[]
  publish(preview: Preview | null): void
}

interface PreviewView {
  open(sessionId: string, url: string, typed: boolean): void
  reload(): void
  back(): void
  close(): void
  place(box: Rectangle | null): void
  focus(): void
  picture(): Promise<Attachment>
}

interface Shown {
  view: WebContentsView
  preview: Preview
  typed: string | null
  ports: { held: Set<number>; readAt: number }
}

/**
 * A page beside the chat. It has a process and a storage of its own that are gone with it, no bridge, and no powers: it cannot
 * open windows, download, ask for permissions or show boxes, and it reaches only what `mayReach` says.
 */
export function createPreview({ window, portsOf, publish }: PreviewOptions): PreviewView {
  let shown: Shown | null = null
  let timer: NodeJS.Timeout | undefined

  const tell = (change: Partial<Preview>): void => {
    if (!shown) return
    shown.preview = { ...shown.preview, ...change }
    timer ??= setTimeout(() => {
      timer = undefined
      if (shown) publish(shown.preview)
    }, publishMs)
  }
  const note = (level: PreviewLine['level'], text: string): void => {
    if (shown) tell({ log: [...shown.preview.log, { level, text: text.slice(0, longestLine) }].slice(-mostLines) })
  }
  const isAllowed = (page: Shown, url: string): boolean => {
    if (Date.now() - page.ports.readAt > portsFreshMs)
      page.ports = { held: new Set(portsOf(page.preview.sessionId)), readAt: Date.now() }
    return mayReach(url, { ports: page.ports.held, typed: page.typed })
  }

  const make = (sessionId: string): Shown => {
    const view = bareView(sessionId)
    const preview: Preview = { sessionId, url: '', title: '', loading: true, canGoBack: false, problem: null, log: [] }
    const page: Shown = { view, preview, typed: null, ports: { held: new Set(), readAt: 0 } }
    watch(view.webContents, window, { tell, note, isAllowed: (url) => isAllowed(page, url) })
    window.contentView.addChildView(view)
    return page
  }

  const close = (): void => {
    const closing = shown
    shown = null
    clearTimeout(timer)
    timer = undefined
    if (!closing) return
    if (!window.isDestroyed()) window.contentView.removeChildView(closing.view)
    closing.view.webContents.close()
    publish(null)
  }
  window.once('closed', () => {
    shown = null
  })
  // A window that begins anew knows nothing of the page, and would be covered by it.
  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) close()
  })

  const current = (): Shown => {
    if (!shown) throw new Error('No page is open.')
    return shown
  }
  return {
    open: (sessionId, url, typed) => {
      const wanted = new URL(url)
      if (shown?.preview.sessionId !== sessionId) close()
      const page = shown ?? make(sessionId)
      page.ports.readAt = 0
      if (!isAllowed({ ...page, typed: null }, url)) {
        if (!typed) {
          if (!shown) page.view.webContents.close()
          throw new Error(`Nothing in this session listens on ${wanted.host}.`)
        }
        page.typed = wanted.origin
      } else page.typed = null
      shown = page
      tell({ url, problem: null, loading: true })
      // What goes wrong is told by did-fail-load.
      page.view.webContents.loadURL(url).catch(() => {})
    },
    reload: () => current().view.webContents.reload(),
    back: () => current().view.webContents.navigationHistory.goBack(),
    close,
    place: (box) => {
      if (!shown) return
      shown.view.setVisible(box !== null)
      if (!box) return
      const zoom = window.webContents.getZoomFactor()
      const scaled = (length: number): number => Math.round(length * zoom)
      shown.view.setBounds({
        x: scaled(box.x),
        y: scaled(box.y),
        width: scaled(box.width),
        height: scaled(box.height),
      })
    },
    focus: () => current().view.webContents.focus(),
    picture: async () => {
      const { view, preview } = current()
      const image = await view.webContents.capturePage()
      if (image.isEmpty()) throw new Error('There is nothing to take a picture of yet.')
      const data = image.toPNG().toString('base64')
      return { name: `${URL.parse(preview.url)?.host ?? 'page'}.png`, mimeType: 'image/png', data }
    },
  }
}

interface PageEvents {
  tell(change: Partial<Preview>): void
  note(level: PreviewLine['level'], text: string): void
  isAllowed(url: string): boolean
}

/** A page without any way out of its own process. */
function bareView(sessionId: string): WebContentsView {
  const view = new WebContentsView({
    webPreferences: {
      // Not kept, and not shared with any other session.
      partition: `preview-${sessionId}-${Date.now()}`,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      disableDialogs: true,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  })
  view.setVisible(false)
  view.webContents.setAudioMuted(true)
  return view
}

/** Takes every power from a page, and tells of what it does. */
function watch(contents: WebContents, window: BrowserWindow, { tell, note, isAllowed }: PageEvents): void {
  const refuse = (event: Electron.Event, url: string): void => {
    if (isAllowed(url)) return
    event.preventDefault()
    note('warning', `Not opened: ${url}`)
  }
  contents.setWindowOpenHandler(({ url }) => {
    note('warning', `Not opened in a new window: ${url}`)
    return { action: 'deny' }
  })
  contents.on('will-frame-navigate', (event) => refuse(event, event.url))
  contents.on('will-redirect', (event) => refuse(event, event.url))
  contents.on('console-message', ({ level, message }) => {
    // Written by Electron for whoever makes an app, not by the page.
    if (message.startsWith('%cElectron Security Warning')) return
    note(level === 'error' || level === 'warning' ? level : 'info', message)
  })
  contents.on('did-start-loading', () => tell({ loading: true }))
  contents.on('did-stop-loading', () => tell({ loading: false }))
  contents.on('page-title-updated', (_event, title) => tell({ title: title.slice(0, 200) }))
  const moved = (_event: unknown, url: string): void =>
    tell({ url, problem: null, canGoBack: contents.navigationHistory.canGoBack() })
  contents.on('did-navigate', moved)
  contents.on('did-navigate-in-page', (event, url, isMainFrame) => isMainFrame && moved(event, url))
  contents.on('did-fail-load', (_event, code, words, url, isMainFrame) => {
    // -3: another page was asked for in between.
    if (isMainFrame && code !== -3) tell({ problem: `${url} did not answer (${words}).` })
  })
  contents.on('render-process-gone', () => tell({ problem: 'The page has crashed.' }))
  contents.on('login', (event) => event.preventDefault())
  // The way back to the window for the keyboard.
  contents.on('before-input-event', (event, { type, key, control, shift }) => {
    if (type !== 'keyDown' || !(key === 'F6' || (key === 'Escape' && control && shift))) return
    event.preventDefault()
    window.webContents.focus()
  })
  const { session } = contents
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => event.preventDefault())
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    const cancel = !isAllowed(url)
    if (cancel) note('warning', `Refused, as it is not part of this session: ${url}`)
    decide({ cancel })
  })
}
