import { open } from 'node:fs/promises'
import type { LogWriter } from './log-writer'
import { createMirror } from './mirror'
import { createPaneReader, type PanePort, type PaneReader, type PaneSource } from './pane'
import type { ProcessExit, Screen } from './process'
import type { ScreenHistory, Size } from './screen-history'
import { createSizeLog } from './size-log'
import type { TimeLog } from './time-log'

/**
 * A program's output in its log, and the panes that show it. The owner of the log appends to it and reports that here.
 */
interface Recording {
  size(): Size
  /** The screen has a new size from the current end of the log on. */
  resized(size: Size): void
  /** A chunk, valid during the call only, was appended to the log. */
  appended(chunk: Uint8Array): void
  ended(exit: ProcessExit): void
  /** The screen at the log's end, or at an earlier byte of it. */
  screen(offset?: number): Promise<Screen>
  attach(port: PanePort, onClose?: () => void): void
  /** Frees the emulator; it is created again when the screen is asked for. */
  dispose(): void
}

interface RecordingOptions
  extends Pick<PaneSource, 'exit' | 'input' | 'resize'>,
    Partial<Pick<PaneSource, 'givesWay'>> {
  logPath: string
  log: Pick<LogWriter, 'bytes' | 'written'>
  history: ScreenHistory
  /** Absent for a log that is complete. */
  times?: TimeLog
  /** The program wrote to pipes, so no terminal has added carriage returns to its line feeds. */
  bareLineFeeds: boolean
}

export function createRecording(options: RecordingOptions): Recording {
  const { logPath, log, history, times, bareLineFeeds, exit, givesWay = () => false, input, resize } = options
  const sizes = createSizeLog(logPath)
  const panes = new Set<PaneReader>()
  const size = () => history.sizeAt(log.bytes)
  const cleaning = () => ({ rows: () => size().rows, live: !exit(), bareLineFeeds })
  const mirror = createMirror({ logPath, history, cleaning })

  const source: PaneSource = {
    offset: () => log.bytes,
    written: (offset) => log.written(offset),
    mirror,
    size,
    cleaning,
    exit,
    givesWay,
    readLog: (from, to) => readLog(logPath, from, to),
    input,
    resize,
  }

  return {
    size,
    resized({ cols, rows }) {
      history.resized(log.bytes, cols, rows)
      sizes.add(log.bytes, { cols, rows })
      times?.resized(cols, rows)
      for (const pane of panes) pane.sizeChanged(cols, rows)
    },
    appended(chunk) {
      times?.wrote(log.bytes)
      for (const pane of panes) pane.output(chunk, log.bytes)
    },
    ended(exit) {
      times?.end()
      for (const pane of panes) pane.ended(exit)
    },
    async screen(offset = log.bytes) {
      await log.written(offset)
      return mirror.screen(offset)
    },
    attach(port, onClose) {
      const pane = createPaneReader(port, source, () => {
        panes.delete(pane)
        onClose?.()
      })
      panes.add(pane)
    },
    dispose: () => mirror.dispose(),
  }
}

async function readLog(path: string, from: number, to: number): Promise<Buffer> {
  // A program that wrote nothing has no log.
  if (to <= from) return Buffer.alloc(0)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(to - from), 0, to - from, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
