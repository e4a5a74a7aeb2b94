import { statSync } from 'node:fs'
import type { ProcessEvent, ProcessExit, ProcessSpec } from '../nodes/node'
import { type Child, type ChildListener, signalGroup } from './child'
import { createLogWriter, type LogWriter } from './log-writer'
import { spawnPipes } from './pipe-child'
import { spawnPty } from './pty-child'

/** The program is held up only when this much of its output waits for the disk. */
const MAX_LOG_BACKLOG = 8 * 1024 * 1024
const OUTPUT_EVENT_MS = 100
/** Members of a group that outlive its leader although it was told to end are given this long. */
const LEFTOVER_GRACE_MS = 250

export interface HostedProcess {
  readonly id: string
  readonly pid: number
  readonly exit: ProcessExit | null
  write(data: string): void
  resize(cols: number, rows: number): void
  signal(name: NodeJS.Signals): void
}

/** Starts a program and keeps its log; `emit` gets its events, `exit` last. */
export async function startProcess(spec: ProcessSpec, emit: (event: ProcessEvent) => void): Promise<HostedProcess> {
  requireFolder(spec.cwd)
  const log = createLogWriter(spec.logPath)
  const streams = spec.tty
    ? null
    : { out: createLogWriter(`${spec.logPath}.out`), err: createLogWriter(`${spec.logPath}.err`) }
  const logs = streams ? [log, streams.out, streams.err] : [log]

  let exit: ProcessExit | null = null
  let paused = false
  let announced = 0
  let announceTimer: NodeJS.Timeout | null = null
  let toldToEnd = false

  const announce = () => {
    announceTimer = null
    announced = log.bytes
    emit({ type: 'output', bytes: log.bytes })
  }
  log.onWritten = () => {
    if (!paused || log.pending > MAX_LOG_BACKLOG / 2) return
    paused = false
    child.resume()
  }

  const listener: ChildListener = {
    output(chunk, stream) {
      log.append(chunk)
      streams?.[stream].append(chunk)
      if (!paused && log.pending > MAX_LOG_BACKLOG) {
        paused = true
        child.pause()
      }
      announceTimer ??= setTimeout(announce, OUTPUT_EVENT_MS)
    },
    end(ended) {
      endAll(logs, () => {
        exit = ended
        if (announceTimer) clearTimeout(announceTimer)
        if (announced !== log.bytes) announce()
        emit({ type: 'exit', ...ended })
        if (toldToEnd) endLeftovers(child.pid)
      })
    },
  }
  let child: Child
  try {
    child = spec.tty ? spawnPty(spec, spec.tty, listener) : await spawnPipes(spec, listener)
  } catch (error) {
    endAll(logs, () => {})
    throw error
  }

  return {
    id: spec.id,
    pid: child.pid,
    get exit() {
      return exit
    },
    write(data) {
      if (exit) throw new Error('The process has ended')
      child.write(data)
    },
    resize: (cols, rows) => child.resize(cols, rows),
    signal(name) {
      if (exit) return
      if (name === 'SIGTERM' || name === 'SIGKILL' || name === 'SIGHUP') toldToEnd = true
      signalGroup(child.pid, name)
    },
  }
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
