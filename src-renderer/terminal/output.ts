import type { Terminal } from '@xterm/xterm'
import type { PaneMessage, PaneRequest } from '../../src-preload/contract/processes'
import { createMarkLimit } from '../state/marks'
import { createAckCounter } from './ack'
import { createHistory, startOverWith } from './history'
import { createPacedWriter } from './paced-writer'
import { createReaderMode } from './reader-mode'

/** A window that is not drawn has no frames, but its terminals continue. */
const LONGEST_FRAME = 100

interface OutputOptions {
  terminal: Terminal
  send(request: PaneRequest): void
  /** Called with whether the view is at its top while the log has more. */
  onEarlier(available: boolean): void
  /** Called when a snapshot was written; the terminal then has the size that the host had at that time. */
  onSnapshot(): void
}

/** Passes what the host sends to the terminal: in order, no faster than it can be drawn, and acknowledged. */
export function createOutput({ terminal, send, onEarlier, onSnapshot }: OutputOptions) {
  let closed = false
  const ack = createAckCounter((chars) => send({ type: 'ack', chars }))
  const readerMode = createReaderMode((on) => {
    terminal.options.screenReaderMode = on
  })
  const limitMarks = createMarkLimit()
  const writer = createPacedWriter({
    write: (text, parsed) => terminal.write(limitMarks(text), () => !closed && parsed()),
    nextFrame,
  })

  // The terminal draws in the next frame, and can only scroll within what it has drawn.
  const afterDraw = (run: () => void) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (!closed) run()
      }),
    )

  const history = createHistory({
    terminal,
    request: (before, bytes) => send({ type: 'history', before, bytes }),
    write(data) {
      readerMode.count(data.length)
      writer.write(data, () => ack.add(data.length))
    },
    writeOld(data, done) {
      readerMode.count(data.length)
      writer.write(data, done, true)
    },
    afterDraw,
    onEarlier,
  })

  return {
    data: history.data,
    history: history.replay,
    snapshot(message: Extract<PaneMessage, { type: 'snapshot' }>) {
      const { baseY, viewportY } = terminal.buffer.active
      const aboveEnd = baseY - viewportY
      // Output that was skipped counts towards a flood like output that was shown.
      readerMode.count(message.skipped + message.data.length)
      // The host has started over: what it sent before and is not parsed yet is dropped.
      writer.clear()
      ack.reset()
      history.reset(message.offset)
      terminal.resize(message.cols, message.rows)
      const shown = () => {
        onSnapshot()
        if (aboveEnd > 0) afterDraw(() => terminal.scrollToLine(Math.max(0, terminal.buffer.active.baseY - aboveEnd)))
        history.settle()
      }
      writer.write(startOverWith(message.data), shown, true)
    },
    hideCursor: () => writer.write('\x1b[?25l'),
    setFocused: writer.setFocused,
    loadEarlier: history.load,
    dispose() {
      closed = true
      writer.clear()
      readerMode.dispose()
      history.dispose()
    },
  }
}

function nextFrame(run: () => void) {
  const go = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    run()
  }
  const frame = requestAnimationFrame(go)
  const timer = setTimeout(go, LONGEST_FRAME)
}
