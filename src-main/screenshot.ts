import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserWindow } from 'electron'

const readyWithinMs = 60_000
/** A terminal that never rests does not hold up the picture for longer. */
const restWithinMs = 5_000
const betweenMs = 200

/** Writes a picture of the window once it has drawn itself. Answers with the exit code for the process. */
export async function takeScreenshot(window: BrowserWindow, path: string): Promise<number> {
  try {
    // A window that is never shown paints nothing, so it is shown without taking the focus.
    window.showInactive()
    await drawn(window)
    await writeFile(path, await atRest(window))
    console.log(`Wrote ${path}`)
    return 0
  } catch (error) {
    console.error(`deckhand: no screenshot: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}

async function drawn(window: BrowserWindow): Promise<void> {
  const until = Date.now() + readyWithinMs
  while (!(await isReady(window))) {
    if (Date.now() > until) throw new Error('the window was not ready within a minute')
    await pause(betweenMs)
  }
}

/** Terminals fill once the window is there: the picture is one that looks the same as the one before it. */
async function atRest(window: BrowserWindow): Promise<Buffer> {
  const until = Date.now() + restWithinMs
  let last = await photograph(window)
  for (;;) {
    await pause(betweenMs)
    const next = await photograph(window)
    if ((next.equals(last) && (await isReady(window))) || Date.now() > until) return next
    last = next
  }
}

/** What the window shows now. The compositor refuses now and then, or gives nothing, while it is still setting up. */
export async function photograph(window: BrowserWindow, attempts = 10): Promise<Buffer> {
  try {
    const image = await window.webContents.capturePage()
    if (image.isEmpty()) throw new Error('the window shows nothing yet')
    return image.toPNG()
  } catch (error) {
    if (attempts === 1) throw error
    await pause(betweenMs)
    return photograph(window, attempts - 1)
  }
}

const isReady = async ({ webContents }: BrowserWindow): Promise<boolean> =>
  !webContents.isLoading() && (await webContents.executeJavaScript(readyCheck))

/** What still waits for its data is marked as busy. */
const readyCheck = `Boolean(document.querySelector('main')) && !document.querySelector('[aria-busy="true"], .ui-skeleton') &&
  document.fonts.ready.then(() =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))))`
