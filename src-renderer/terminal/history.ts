import type { Terminal } from '@xterm/xterm'
import type { PaneMessage } from '../../src-preload/contract/processes'
import { scrollbackLines, snapshotBytes } from '../../src-preload/contract/terminal'

/** How much of the log is shown at the first and second request for older output, and the lines kept for it. */
const STEPS = [
  { bytes: 8 << 20, lines: 50_000 },
  { bytes: 32 << 20, lines: 150_000 },
]

/** Replaces all that the terminal shows; what it goes through on the way to `data` is not drawn. */
export const startOverWith = (data: string) => `\x1bc\x1b[?2026h${data}\x1b[?2026l`

interface HistoryOptions {
  terminal: Terminal
  request(before: number, bytes: number): void
  /** Writes output that came by itself. */
  write(data: string): void
  /** Writes output that was asked for; `done` when it has been parsed. */
  writeOld(data: string, done: () => void): void
  /** Runs something once the screen has been drawn, which is when the terminal knows how far it can scroll. */
  afterDraw(run: () => void): void
  /** Whether the view stands at its top while the log holds more. */
  onEarlier(available: boolean): void
}

/**
 * Older output than the terminal holds. A terminal cannot be written to from above, so a longer stretch of the log is
 * played into it anew, up to the very byte that the pane has reached; what arrives meanwhile waits and follows.
 */
export function createHistory({ terminal, request, write, writeOld, afterDraw, onEarlier }: HistoryOptions) {
  /** Where in the log the shown output ends, and where the snapshot that it began with did. */
  let end = 0
  let snapshotEnd = 0
  /** Where the shown output begins; not known for a snapshot, which is a screen and not a stretch of the log. */
  let from: number | null = null
  let step = 0
  /** What arrived while older output was on its way. */
  let held: string[] | null = null
  let available = false
  /** A snapshot or older output is still being written, and the top is not yet the top. */
  let settling = false

  const look = () => {
    const buffer = terminal.buffer.active
    const full = terminal.buffer.normal.length >= (terminal.options.scrollback ?? scrollbackLines) + terminal.rows
    const more = from === null ? full || snapshotEnd > snapshotBytes : from > 0
    const atTop = buffer.type === 'normal' && buffer.viewportY === 0
    const now = more && atTop && step < STEPS.length && held === null && !settling
    if (now === available) return
    available = now
    onEarlier(now)
  }
  const listener = terminal.onScroll(look)

  const settle = () => {
    settling = false
    look()
  }

  return {
    look,
    /** The snapshot has been written. */
    settle,
    /** A snapshot begins anew, and what it replaces is no longer waited for. */
    reset(offset: number) {
      end = offset
      snapshotEnd = offset
      from = null
      step = 0
      held = null
      settling = true
      terminal.options.scrollback = scrollbackLines
      look()
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
      const lines = terminal.buffer.normal.length
      const waiting = held
      held = null
      settling = true
      from = message.from
      terminal.options.scrollback = STEPS[step]?.lines ?? scrollbackLines
      step++
      writeOld(startOverWith(message.data), () =>
        afterDraw(() => {
          terminal.scrollToLine(Math.max(0, terminal.buffer.normal.length - lines))
          settle()
        }),
      )
      for (const data of waiting) write(data)
    },
    dispose: () => listener.dispose(),
  }
}
