import type { Terminal } from '@xterm/xterm'
import type { PaneMessage } from '../../src-preload/contract/processes'
import { scrollbackLines, snapshotBytes } from '../../src-preload/contract/terminal'

/**
 * How much of the log is shown after the first and the second request for older output, and how many lines are kept.
 */
const STEPS = [
  { bytes: 8 << 20, lines: 50_000 },
  { bytes: 32 << 20, lines: 150_000 },
]

/** Replaces everything that the terminal shows; intermediate states are not drawn. */
export const startOverWith = (data: string) => `\x1bc\x1b[?2026h${data}\x1b[?2026l`

interface HistoryOptions {
  terminal: Terminal
  request(before: number, bytes: number): void
  /** Writes new output. */
  write(data: string): void
  /** Writes older output that was requested; `done` is called when it has been parsed. */
  writeOld(data: string, done: () => void): void
  /** Runs something after the screen was drawn, when the terminal knows how far it can scroll. */
  afterDraw(run: () => void): void
  /** Called with whether the view is at its top while the log has more. */
  onEarlier(available: boolean): void
}

/**
 * Output older than the terminal holds. A terminal cannot be written to from above, so a longer part of the log is
 * written to it again, up to the exact byte that the pane has reached; what arrives meanwhile waits and follows.
 */
export function createHistory({ terminal, request, write, writeOld, afterDraw, onEarlier }: HistoryOptions) {
  /** Where in the log the shown output ends, and where the snapshot that it started with ended. */
  let end = 0
  let snapshotEnd = 0
  /** Where the shown output begins; unknown for a snapshot, which is a screen and not a part of the log. */
  let from: number | null = null
  let step = 0
  /** What arrived while older output was being loaded. */
  let held: string[] | null = null
  let available = false
  /** Whether a snapshot or older output is still being written, so that the top is not final. */
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
    /** Call when the snapshot has been written. */
    settle,
    /** Call when a new snapshot begins; requests for older output are dropped. */
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
      // A snapshot came in between and replaced what was requested.
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
