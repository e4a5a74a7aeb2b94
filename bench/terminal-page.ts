import '@xterm/xterm/css/xterm.css'
import { Terminal } from '@xterm/xterm'
import type { PaneMessage } from '../src-preload/contract/processes'
import { createPane, type Pane } from '../src-renderer/terminal/pane'

/**
 * The window's side of the terminal measurements: the app's own panes, and probes that take the time. The main side
 * calls these by name.
 */

const now = () => performance.timeOrigin + performance.now()

// A port may come before or after it is asked for.
const ports = new Map<string, PromiseWithResolvers<MessagePort>>()
const slotOf = (requestId: string) => {
  const slot = ports.get(requestId) ?? Promise.withResolvers<MessagePort>()
  ports.set(requestId, slot)
  return slot
}
window.addEventListener('message', (event) => {
  const port = event.ports[0]
  if (port) slotOf(event.data.deckhandTerminal).resolve(port)
})
const portOf = (requestId: string) => slotOf(requestId).promise

function addElement(): HTMLElement {
  const element = document.createElement('div')
  element.className = 'pane'
  document.body.append(element)
  return element
}

let pane: Pane | null = null
let probe: { port: MessagePort; terminal: Terminal; onData: ((data: string) => void) | null } | null = null

const bench = {
  /** Opens the app's own pane; resolves when the pane hears of the exit. */
  async openPane(requestId: string): Promise<number> {
    const port = await portOf(requestId)
    const element = addElement()
    return new Promise((resolve) => {
      pane = createPane({
        element,
        port,
        label: 'bench',
        fontSize: 12.5,
        running: true,
        mac: false,
        openLink() {},
        pathsExist: async () => [],
        openPlace() {},
        onLink() {},
        copy() {},
        readClipboard: async () => '',
        onKey() {},
        onFocus() {},
        onMatches() {},
        onEarlier() {},
        onExit: () => resolve(now()),
      })
    })
  },
  closePanes() {
    pane?.dispose()
    pane = null
    probe?.port.close()
    probe?.terminal.dispose()
    probe = null
    for (const element of document.querySelectorAll('.pane')) element.remove()
  },
  /** How many frames were drawn in this time, and the worst gap. */
  async frames(ms: number): Promise<{ perSecond: number; worst: number }> {
    const start = performance.now()
    let last = start
    let count = 0
    let worst = 0
    return new Promise((resolve) => {
      const tick = () => {
        const at = performance.now()
        worst = Math.max(worst, at - last)
        last = at
        count++
        if (at - start < ms) requestAnimationFrame(tick)
        else resolve({ perSecond: (count * 1000) / (at - start), worst })
      }
      requestAnimationFrame(tick)
    })
  },
  /** When the first byte of output arrived, on the clock of the whole machine. */
  async firstByte(requestId: string): Promise<number> {
    const port = await portOf(requestId)
    return new Promise((resolve) => {
      port.onmessage = (event: MessageEvent<PaneMessage>) => {
        const message = event.data
        if ((message.type === 'data' || message.type === 'snapshot') && message.data !== '') {
          resolve(now())
          port.close()
        }
      }
    })
  },
  async openProbe(requestId: string): Promise<void> {
    const port = await portOf(requestId)
    const terminal = new Terminal({ cols: 80, rows: 24 })
    terminal.open(addElement())
    const opened = { port, terminal, onData: null as ((data: string) => void) | null }
    probe = opened
    await new Promise<void>((resolve) => {
      port.onmessage = (event: MessageEvent<PaneMessage>) => {
        const message = event.data
        if (message.type === 'snapshot') resolve()
        if (message.type !== 'data') return
        terminal.write(message.data, () => opened.onData?.(message.data))
        port.postMessage({ type: 'ack', chars: message.data.length })
      }
    })
  },
  /** Types single keys, one after the other, and takes the time until each is on the terminal's screen. */
  async typeKeys(count: number): Promise<number[]> {
    const times: number[] = []
    for (let i = 0; i < count; i++) {
      const key = String.fromCharCode(97 + (i % 26))
      const start = performance.now()
      await new Promise<void>((resolve) => {
        if (!probe) throw new Error('No probe is open')
        probe.onData = (data) => {
          if (data.includes(key)) resolve()
        }
        probe.port.postMessage({ type: 'input', data: key })
      })
      times.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    return times
  },
  /** The usual way, for comparison: a terminal that acknowledges every 5,000 characters. */
  async openPlain(requestId: string): Promise<void> {
    const port = await portOf(requestId)
    const terminal = new Terminal({ cols: 120, rows: 30, scrollback: 10_000 })
    terminal.open(addElement())
    let parsed = 0
    port.onmessage = (event: MessageEvent<string>) => {
      const { length } = event.data
      terminal.write(event.data, () => {
        parsed += length
        if (parsed < 5000) return
        port.postMessage(parsed)
        parsed = 0
      })
    }
  },
}

export type BenchPage = typeof bench
Object.assign(window, { bench })
