import { createLogWriter } from './log-writer'
import type { FeedSpec } from './messages'
import type { PanePort } from './pane'
import type { ProcessEvent, ProcessExit, Screen } from './process'
import { createRecording } from './recording'
import { createScreenHistory } from './screen-history'
import { createTimeLog } from './time-log'

const OUTPUT_EVENT_MS = 50

/**
 * A process that runs on another machine. Its output arrives in pieces instead of from a local terminal; log, mirror
 * and panes are the same. The user's input is sent to the other machine, which alone knows whether it is a password,
 * and which alone answers the program's terminal queries.
 */
export interface FedProcess {
  readonly exit: ProcessExit | null
  output(chunk: Uint8Array): void
  end(exit: ProcessExit): void
  screen(): Promise<Screen>
  attach(port: PanePort): void
  /** Writes the rest of the log; the program may continue. */
  close(): Promise<void>
}

export function openFedProcess(options: {
  spec: FeedSpec
  emit(event: ProcessEvent): void
  /** A pane's request, for the machine that runs the program. */
  forward(request: { type: 'input'; data: string } | { type: 'resize'; cols: number; rows: number }): void
}): FedProcess {
  const { spec, emit } = options
  const log = createLogWriter(spec.logPath, spec.offset)
  const history = createScreenHistory({ cols: spec.cols, rows: spec.rows })
  const times = createTimeLog(spec.logPath, { cols: spec.cols, rows: spec.rows }, spec.offset)
  let exit: ProcessExit | null = null
  let ending = false
  let announceTimer: NodeJS.Timeout | null = null

  const announce = () => {
    announceTimer = null
    emit({ type: 'output', bytes: log.bytes - log.pending })
    if (log.pending > 0 && !ending) announceTimer = setTimeout(announce, OUTPUT_EVENT_MS)
  }

  const recording = createRecording({
    logPath: spec.logPath,
    log,
    history,
    times,
    bareLineFeeds: false,
    exit: () => exit,
    input(data) {
      if (!exit) options.forward({ type: 'input', data })
    },
    resize(cols, rows) {
      const now = recording.size()
      if (exit || (now.cols === cols && now.rows === rows)) return
      options.forward({ type: 'resize', cols, rows })
      recording.resized({ cols, rows })
    },
  })

  return {
    get exit() {
      return exit
    },
    output(chunk) {
      if (ending) return
      const start = log.bytes
      log.append(chunk)
      history.note(chunk, start)
      recording.appended(chunk)
      announceTimer ??= setTimeout(announce, OUTPUT_EVENT_MS)
    },
    end(ended) {
      if (ending) return
      ending = true
      if (announceTimer) clearTimeout(announceTimer)
      log.end(() => {
        exit = ended
        emit({ type: 'output', bytes: log.bytes })
        recording.ended(ended)
        emit({ type: 'exit', ...ended })
      })
    },
    screen: () => recording.screen(),
    attach: (port) => recording.attach(port),
    close() {
      if (announceTimer) clearTimeout(announceTimer)
      if (ending) return Promise.resolve()
      ending = true
      times.end()
      return new Promise((resolve) => log.end(resolve))
    },
  }
}
