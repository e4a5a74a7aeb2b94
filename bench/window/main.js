// Starts the app that BENCH_APP names with a probe in its page, prints what the probe found, and ends.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app, ipcMain, session } from 'electron'

// Asked for before the app's own: the probe has to be there when the app opens its window.
void app.whenReady().then(() => {
  session.defaultSession.registerPreloadScript({ type: 'frame', filePath: join(import.meta.dirname, 'probe.cjs') })
})
ipcMain.handle('bench-task', () => JSON.parse(process.env.BENCH_TASK ?? '{}'))
ipcMain.on('bench-result', (_event, result) => {
  process.stdout.write(`RESULT ${JSON.stringify(result)}\n`, () => app.quit())
})
await import(pathToFileURL(process.env.BENCH_APP ?? '').href)
