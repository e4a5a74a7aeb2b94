import type { Terminal } from '@xterm/xterm'
import type { PaneMessage } from '../../src-preload/contract/protocol'
import { SCROLLBACK } from './pane'

/** How much of the log is shown at the first, second, … request for older output, and the lines kept for it. */
const STEPS = [
  { bytes: 4 << 20, lines: 100_000 },
  { bytes: 16 << 20, lines: 400_000 },
  { bytes: 64 << 20, lines: 1_000_000 },
]

interface HistoryOptions {
  terminal: Terminal
  request(before: number, bytes: number): void
  write(data: string): void
  onEarlier(available: boolean): void
}

/**
 * Older output than the terminal holds. A terminal cannot be written to from above, so a longer stretch of the log is
 * played into it anew, up to the very byte that the pane has reached; what arrives meanwhile waits and follows.
 */
export function createHistory({ terminal, request, write, onEarlier }: HistoryOptions) {
  /** Where in the log the shown output ends. */
  let end = 0
  /** Where it begins, as far as that is known: 0 is the beginning of the log. */
  let from: number | null = null
  let step = 0
  let held: string[] | null = null
  let available = false

  const look = () => {
    const buffer = terminal.buffer.active
    const full = terminal.buffer.normal.length >= (terminal.options.scrollback ?? SCROLLBACK) + terminal.rows
    const more = from === null ? full : from > 0
    const now = more && buffer.type === 'normal' && buffer.viewportY === 0 && step < STEPS.length && held === null
    if (now === available) return
    available = now
    onEarlier(now)
  }
  const listener = terminal.onScroll(look)

  return {
    look,
    reset(offset: number, skipped: number) {
      end = offset
      from = skipped > 0 ? skipped : null
      step = 0
      held = null
      terminal.options.scrollback = SCROLLBACK
    },
    data(data: string, offset: number) {
      end = offset
      if (held) held.push(data)
      else write(data)
    },
    load() {
      const { bytes } = STEPS[step] ?? {}
      if (!bytes || held) return
      held = []
      request(end, bytes)
      look()
    },
    replay(message: Extract<PaneMessage, { type: 'history' }>) {
      // A snapshot that came in between has replaced what was asked for.
      if (!held) return
      const waiting = held
      held = null
      from = message.from
      terminal.options.scrollback = STEPS[step]?.lines ?? SCROLLBACK
      step++
      terminal.write('', () => {
        terminal.reset()
        const linesBefore = terminal.buffer.normal.length
        terminal.write(message.data, () => {
          terminal.scrollToLine(Math.max(0, terminal.buffer.normal.length - linesBefore - SCROLLBACK))
          look()
        })
        for (const data of waiting) write(data)
      })
    },
    dispose: () => listener.dispose(),
  }
}
