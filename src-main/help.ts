import { writeFile } from 'node:fs/promises'
import { arch, homedir, release } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow, clipboard, dialog, type MessageBoxOptions } from 'electron'
import type { Engine } from './engine'
import { readLogTail } from './log-tail'
import type { ProxyAddress } from './network/proxy-address'
import { troubleIn } from './network/trouble'
import { problemReport } from './problem-report'
import { redact } from './redact'
import { photograph } from './screenshot'

/** What the Help menu does. Nothing in here sends anything by itself. */

const logLines = 400

/** Gathers a report, shows it, and saves it where the user wants. */
export async function reportProblem(window: BrowserWindow, engine: Promise<Engine> | undefined): Promise<void> {
  const running = await engine?.catch(() => undefined)
  const dataDir = app.getPath('userData')
  const log = await readLogTail(dataDir, logLines).catch(() => ({ lines: ['The log cannot be read.'] }))
  const screenshot = await photograph(window).catch(() => null)
  const page = problemReport({
    at: new Date(),
    version: running?.version ?? app.getVersion(),
    versions: {
      electron: process.versions.electron ?? '',
      chromium: process.versions.chrome ?? '',
      node: process.versions.node,
      system: `${process.platform} ${release()} ${arch()}`,
    },
    settings: running?.settings.current() ?? 'The engine is not running.',
    logLines: log.lines,
    screenshot,
    clean: (text) => (running?.log.clean(text) ?? redact(text)).replaceAll(homedir(), '~'),
  })
  const shown = await showPage(window, page)
  const { response } = await dialog.showMessageBox(shown, {
    message: 'This is the whole report. Nothing has been sent.',
    detail: 'Check it before you share it, above all the picture, which shows what is in the window now.',
    buttons: ['Save…', 'Discard'],
    defaultId: 0,
    cancelId: 1,
  })
  if (response === 0) await save(shown, page)
  shown.destroy()
}

async function save(shown: BrowserWindow, page: string): Promise<void> {
  const defaultPath = join(app.getPath('documents'), 'deckhand-report.html')
  const { filePath } = await dialog.showSaveDialog(shown, { defaultPath })
  if (!filePath) return
  await writeFile(filePath, page, { mode: 0o600 }).catch((error: Error) =>
    dialog.showErrorBox('The report was not saved', error.message),
  )
}

/** The report as it would be saved, in a window that runs no script and reaches nothing. */
async function showPage(parent: BrowserWindow, page: string): Promise<BrowserWindow> {
  const shown = new BrowserWindow({
    parent,
    width: 900,
    height: 800,
    title: 'Problem report',
    autoHideMenuBar: true,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
  })
  shown.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  shown.webContents.on('will-navigate', (event) => event.preventDefault())
  await shown.loadURL(`data:text/html;charset=utf-8;base64,${Buffer.from(page).toString('base64')}`)
  return shown
}

/** Looks for a newer version, because the user asked for it. */
export async function checkForUpdates(
  window: BrowserWindow,
  appFolder: string,
  engine: Promise<Engine> | undefined,
): Promise<void> {
  // Where nothing else starts, an update may be what helps.
  const network = (await engine?.catch(() => undefined))?.network
  const tell = (box: MessageBoxOptions) => dialog.showMessageBox(window, box)
  const { updateSource } = await import('./updates/source')
  const source = updateSource(appFolder)
  if (!source) {
    await tell({
      message: 'This copy of Deckhand cannot check for updates.',
      detail: 'It was built without an update address.',
    })
    return
  }
  const { findUpdate } = await import('./updates/check')
  try {
    const looking = {
      dataDir: app.getPath('userData'),
      current: app.getVersion(),
      fetch: network?.fetch,
    }
    const found = await findUpdate(source, looking)
    if (!found) {
      await tell({ message: `Deckhand ${app.getVersion()} is the latest version.` })
      return
    }
    const { manifest, command } = found
    const message = `Deckhand ${manifest.version} is available.`
    if (command !== null) {
      const detail = `${manifest.notes}\n\nTo install it, run this in a terminal:\n\n${command}`
      const { response } = await tell({
        message,
        detail,
        buttons: ['Copy command', 'Close'],
        defaultId: 0,
        cancelId: 1,
      })
      if (response === 0) clipboard.writeText(command)
      return
    }
    const buttons = ['Install when Deckhand quits', 'Not now']
    const { response } = await tell({ message, detail: manifest.notes, buttons, defaultId: 0, cancelId: 1 })
    if (response !== 0) return
    const { appImageUpdater } = await import('./updates/app-image')
    const updater = appImageUpdater({ manifest, url: source.url, arch: process.arch })
    // It fetches by Electron's own stack, which is told the same way out.
    if (network) {
      const proxy = await network.proxyFor(new URL(source.url))
      await updater.netSession.setProxy(electronProxy(proxy))
      updater.signals.login((_asked, answer) => answer(proxy?.user ?? '', proxy?.password ?? ''))
    }
    await updater.checkForUpdates()
    await updater.downloadUpdate()
    await tell({
      message: `Deckhand ${manifest.version} was downloaded.`,
      detail: 'It will be installed when you quit.',
    })
  } catch (error) {
    await tell({
      type: 'error',
      message: 'Nothing was updated.',
      detail: wordsOf(error),
    })
  }
}

const electronProxy = (proxy: ProxyAddress | null): Electron.ProxyConfig =>
  proxy ? { mode: 'fixed_servers', proxyRules: `${proxy.scheme}://${proxy.host}:${proxy.port}` } : { mode: 'direct' }

const wordsOf = (error: unknown): string => {
  const trouble = troubleIn(error)
  if (trouble) return `${trouble.message} ${trouble.hint}`
  return error instanceof Error ? error.message : String(error)
}
