// The least that an Electron app with something to type into can be.
import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'

void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800, show: false, webPreferences: { sandbox: true } })
  window.once('ready-to-show', () => window.show())
  void window.loadFile(join(import.meta.dirname, 'bare.html'))
})
