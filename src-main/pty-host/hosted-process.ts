import { existsSync, statSync } from 'node:fs'
import { longestTerminalSide, usualTerminalSize } from '../../src-preload/contract/terminal'
import { type Child, type ChildListener, signalGroup, signalProgram } from './child'
import { held } from './held-program'
import type { Launcher } from './launcher'
import { createLogWriter, type LogWriter } from './log-writer'
import type { PanePort } from './pane'
import { spawnPipes } from './pipe-child'
import { type ProcessEvent, type ProcessExit, type ProcessSpec, type Screen, SecretInputError } from './process'
import { spawnPty } from './pty-child'
import { createRecording } from './recording'
import { createScreenHistory } from './screen-history'
import { readSizeLog } from './size-log'
import { createAnswers } from './terminal-answers'
import { terminalUse } from './terminal-use'
import { createTimeLog } from './time-log'
import { createTypedEcho } from './typed-echo'
import { createUserInput } from './user-input'
import { holdProgram } from './windows/signals'

/** The program is paused only when this much of its output waits for the disk. */
const MAX_LOG_BACKLOG = 8 * 1024 * 1024
const OUTPUT_EVENT_MS = 100
/** How long group members may outlive their leader after it was told to end. */
const LEFTOVER_GRACE_MS = 250
/** This much between two output events (a tenth of a second) counts as a flood. */
const FLOOD_BYTES = 64 * 1024
/** Enough to write a key and read its echo on a busy machine. */
const GIVE_WAY_MS = 8

export interface HostedProcess {
  readonly id: string
  readonly pid: number
  readonly exit: ProcessExit | null
  /** Input from the agent. */
  write(data: string): Promise<void>
  resize(cols: number, rows: number): void
  signal(name: NodeJS.Signals): void
  screen(): Promise<Screen>
  attach(port: PanePort): void
  /** The user types into another process: if this one floods, it pauses for a moment. */
  giveWay(): void
  /** As if the user typed into a pane. */
  type(data: string): void
}

/** Starts a program, writes its log and serves its panes; `emit` gets its events, `exit` last. */
export async function startProcess(
  spec: ProcessSpec,
  emit: (event: ProcessEvent) => void,
  onInput: () => void,
  launcher: Launcher,
  /** Gets every chunk, which is valid during the call only and ends at `offset` of the log. */
  tap?: (chunk: Uint8Array, offset: number) => void,
): Promise<HostedProcess> {
  requireFolder(spec.cwd)
  const log = createLogWriter(spec.logPath)
  const streams = spec.tty ? { out: null, err: null } : openStreams(spec.logPath)
  const logs = [log, streams.out, streams.err].filter((each) => each !== null)
  const history = createScreenHistory(spec.tty ?? usualTerminalSize)

  const times = createTimeLog(spec.logPath, spec.tty ?? usualTerminalSize)
  const echo = createTypedEcho((text, msAgo) => times.typed('user', text, msAgo))
  let exit: ProcessExit | null = null
  let paused = false
  let givingWay: NodeJS.Timeout | null = null
  const news = createOutputNews(log, emit)
  let toldToEnd = false

  const recording = createRecording({
    logPath: spec.logPath,
    log,
    history,
    times,
    bareLineFeeds: !spec.tty,
    exit: () => exit,
    givesWay: () => givingWay !== null,
    input: (data, scrolled) => type(data, scrolled),
    resize: (cols, rows) => resize(cols, rows),
  })

  log.onWritten = () => {
    if (!paused || log.pending > MAX_LOG_BACKLOG / 2) return
    paused = false
    if (!givingWay) child.resume()
  }

  const listener: ChildListener = {
    output(chunk, stream) {
      const start = log.bytes
      log.append(chunk)
      streams[stream]?.append(chunk)
      if (spec.tty) {
        const queries = history.note(chunk, start)
        if (queries.length > 0) answers.add(queries, log.bytes)
        input.output(chunk)
        echo.output(chunk)
      }
      recording.appended(chunk)
      tap?.(chunk, log.bytes)
      if (!paused && log.pending > MAX_LOG_BACKLOG) {
        paused = true
        child.pause()
      }
      news.arrived()
    },
    end(ended) {
      input.stop()
      echo.end()
      endAll(logs, () => {
        exit = ended
        news.end()
        recording.ended(ended)
        emit({ type: 'exit', ...ended })
        if (toldToEnd) endLeftovers(child.pid)
      })
    },
  }
  let child: Child
  try {
    child = await start(spec, listener, launcher)
  } catch (error) {
    endAll(logs, () => {})
    throw error
  }

  const input = createUserInput({
    child,
    tty: spec.tty !== null,
    far: spec.farTerminal !== undefined,
    ...(spec.farTerminal === undefined && { use: (raw: boolean) => terminalUse(child.pid, raw) }),
    screen: () => recording.screen(),
    emit(event) {
      if (event.type === 'typed') echo.typed(event.text)
      emit(event)
    },
  })

  const answers = createAnswers({
    lineMode: () => child.lineMode(),
    cursorAt: async (offset) => (await recording.screen(offset)).cursor,
    write(text) {
      if (!exit) child.write(text)
    },
  })

  const resize = (cols: number, rows: number) => {
    const size = { cols: clampSide(cols), rows: clampSide(rows) }
    const now = recording.size()
    if (exit || !spec.tty || (now.cols === size.cols && now.rows === size.rows)) return
    child.resize(size.cols, size.rows)
    recording.resized(size)
  }

  const type = (data: string, scrolled?: boolean) => {
    if (exit) return
    if (!scrolled) echo.began()
    input.type(data, scrolled)
    onInput()
  }

  return {
    id: spec.id,
    pid: child.pid,
    get exit() {
      return exit
    },
    async write(data) {
      if (spec.tty && (await input.isSecret())) throw new SecretInputError()
      if (exit) throw new Error('The process has ended')
      child.write(data)
      times.typed('agent', data)
    },
    resize,
    type: (data) => type(data),
    signal(name) {
      if (exit) return
      if (name === 'SIGTERM' || name === 'SIGKILL' || name === 'SIGHUP') toldToEnd = true
      // On Windows, Ctrl+C exists only as a key.
      if (isWindows && name === 'SIGINT' && spec.tty) child.write('\x03')
      else signalProgram(child.pid, name)
    },
    screen: () => recording.screen(),
    giveWay() {
      if (exit || givingWay || !news.floods()) return
      child.pause()
      givingWay = setTimeout(() => {
        givingWay = null
        if (!paused) child.resume()
      }, GIVE_WAY_MS)
    },
    attach: (port) => recording.attach(port),
  }
}

/** Tells how much output there is, at intervals while some arrives. */
function createOutputNews(log: LogWriter, emit: (event: ProcessEvent) => void) {
  let told = 0
  /** Bytes between the last two events. */
  let lastBurst = 0
  let timer: NodeJS.Timeout | null = null
  const tell = () => {
    timer = null
    lastBurst = log.bytes - told
    told = log.bytes
    emit({ type: 'output', bytes: log.bytes })
  }
  return {
    arrived(): void {
      timer ??= setTimeout(tell, OUTPUT_EVENT_MS)
    },
    floods: (): boolean => timer !== null && Math.max(lastBurst, log.bytes - told) > FLOOD_BYTES,
    /** Tells of the rest. */
    end(): void {
      if (timer) clearTimeout(timer)
      if (told !== log.bytes) tell()
    },
  }
}

const isWindows = process.platform === 'win32'

async function start(spec: ProcessSpec, listener: ChildListener, launcher: Launcher): Promise<Child> {
  if (!isWindows) return spec.tty ? spawnPty(spec, spec.tty, listener, launcher) : spawnPipes(held(spec), listener)
  const { spawnConpty } = await import('./windows/conpty-child')
  const child = await (spec.tty ? spawnConpty(spec, spec.tty, listener) : spawnPipes(spec, listener))
  holdProgram(child.pid)
  return child
}

/** A pane for a process that this host did not start: it ended earlier, and only its log is left. */
export function attachToLog(port: PanePort, logPath: string, exit: ProcessExit | null): void {
  const bytes = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0
  const history = readSizeLog(logPath, usualTerminalSize)
  const ended = exit ?? { exitCode: null, signal: null }
  const recording = createRecording({
    logPath,
    log: { bytes, written: () => Promise.resolve() },
    history,
    bareLineFeeds: existsSync(`${logPath}.out`),
    exit: () => ended,
    input() {},
    resize() {},
  })
  recording.attach(port, () => recording.dispose())
}

function openStreams(logPath: string): { out: LogWriter; err: LogWriter } {
  return { out: createLogWriter(`${logPath}.out`), err: createLogWriter(`${logPath}.err`) }
}

function clampSide(cells: number): number {
  return Math.max(1, Math.min(longestTerminalSide, Math.floor(cells) || 1))
}

function requireFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new Error(`The folder ${path} does not exist`)
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`)
}

function endAll(logs: LogWriter[], done: () => void): void {
  let open = logs.length
  for (const log of logs) {
    log.end(() => {
      open--
      if (open === 0) done()
    })
  }
}

function endLeftovers(pid: number): void {
  if (!signalGroup(pid, 0)) return
  setTimeout(() => signalGroup(pid, 'SIGKILL'), LEFTOVER_GRACE_MS)
}
