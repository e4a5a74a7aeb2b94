import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { runInside, startInside } from './clean-root.mjs'

const root = process.env.DECKHAND_PACKAGE_ROOT ?? ''
const startsWithinMs = 60_000

/** The installed window, driven by Chromium's own protocol: Node's debugger is closed by a fuse. */
export interface InstalledWindow {
  window: Page
  /** Processor time that all processes of the app have used so far. */
  processorMs(): number
  /** Closes the window and waits for the end of the app. Answers with its exit code. */
  quit(): Promise<number | null>
}

/** How an app is started, and the folders of this system that it needs, by where they are inside. */
export interface Startable {
  words: string[]
  readable: Record<string, string>
}

export const installed: Startable = { words: ['deckhand'], readable: {} }
/** The same app from the checkout, in the same system. */
export const fromCheckout: Startable = {
  words: ['/checkout/node_modules/electron/dist/electron', '/checkout'],
  readable: { '/checkout': join(import.meta.dirname, '../..') },
}

export async function openWindow({ words, readable }: Startable = installed): Promise<InstalledWindow> {
  const env = { DISPLAY: process.env.DISPLAY ?? '', XAUTHORITY: '/home/tester/.Xauthority' }
  const app: ChildProcess = startInside(root, [...words, '--remote-debugging-port=0'], { as: 'user', env, readable })
  const ended = new Promise<number | null>((resolve) => app.once('exit', (code) => resolve(code)))
  const address = await addressOf(app)
  const browser: Browser = await chromium.connectOverCDP(address)
  const window = browser.contexts()[0]?.pages()[0]
  if (!window) throw new Error('The app has no window')
  return {
    window,
    processorMs: () => familyOf(app.pid ?? 0).reduce((sum, pid) => sum + processorMsOf(pid), 0),
    async quit() {
      await window.close({ runBeforeUnload: true })
      const late = setTimeout(() => app.kill('SIGKILL'), startsWithinMs)
      const code = await ended
      clearTimeout(late)
      await browser.close().catch(() => undefined)
      return code
    },
  }
}

const tickMs = 10

/** A process and all below it. */
function familyOf(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(familyOf)]
}

/** Its own and that of its ended children. */
function processorMsOf(pid: number): number {
  const fields = readProc(`${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs
}

/** Empty for a process that has just ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8').trim()
  } catch {
    return ''
  }
}

function addressOf(app: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const late = setTimeout(() => reject(new Error(`The app did not start:\n${text}`)), startsWithinMs)
    for (const stream of [app.stdout, app.stderr])
      stream?.setEncoding('utf8').on('data', (more: string) => {
        text += more
        const found = /DevTools listening on ws:\/\/([^/]+)\//.exec(text)
        if (!found) return
        clearTimeout(late)
        resolve(`http://${found[1]}`)
      })
    app.once('exit', (code) => reject(new Error(`The app ended with code ${code}:\n${text}`)))
  })
}

/** A command inside, without a display. */
export const command = (
  words: string[],
  as: 'root' | 'user' = 'user',
): Promise<{ code: number; stdout: string; output: string }> => runInside(root, words, { as })

/** A command inside that goes on until it is stopped. */
export function longCommand(words: string[]): { said(): string; stop(): Promise<void> } {
  const child: ChildProcess = startInside(root, words, { as: 'user' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
  return {
    said: () => text,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
