import { writeFile } from 'node:fs/promises'
import type { BrowserWindow } from 'electron'

const readyWithinMs = 60_000

/** Writes a picture of the window once it has drawn itself. Answers with the exit code for the process. */
export async function takeScreenshot(window: BrowserWindow, path: string): Promise<number> {
  try {
    await drawn(window)
    await writeFile(path, await photograph(window))
    console.log(`Wrote ${path}`)
    return 0
  } catch (error) {
    console.error(`deckhand: no screenshot: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}

/** The compositor refuses now and then while it is still setting up. */
async function photograph(window: BrowserWindow, attempts = 10): Promise<Buffer> {
  try {
    return (await window.webContents.capturePage()).toPNG()
  } catch (error) {
    if (attempts === 1) throw error
    await new Promise((resolve) => setTimeout(resolve, 200))
    return photograph(window, attempts - 1)
  }
}

/** What still waits for its data is marked as busy. */
async function drawn(window: BrowserWindow): Promise<void> {
  const until = Date.now() + readyWithinMs
  // A window that is never shown paints nothing, so it is shown without taking the focus.
  window.showInactive()
  while (Date.now() < until) {
    if (!window.webContents.isLoading() && (await window.webContents.executeJavaScript(readyCheck))) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the window was not ready within a minute')
}

const readyCheck = `Boolean(document.querySelector('main')) && !document.querySelector('[aria-busy="true"], .ui-skeleton') &&
  document.fonts.ready.then(() =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))))`
