import type { ProcessExit } from './process'
import { runningProcesses } from './process-list'
import { signalOnWindows } from './windows/signals'

/** A running program, in a terminal or with pipes. */
export interface Child {
  readonly pid: number
  /** Throws when the program takes no more input. */
  write(data: string): void
  resize(cols: number, rows: number): void
  /** Stop and continue reading; the program itself blocks once the kernel's buffer is full. */
  pause(): void
  resume(): void
  /** The terminal's input settings; `null` without a terminal, or if they cannot be read. */
  lineMode(): Promise<LineMode | null>
}

export interface LineMode {
  echo: boolean
  /** Line editing by the kernel. Full-screen programs and shells turn it off, together with echo. */
  canonical: boolean
}

export interface ChildListener {
  /** The chunk is valid during the call only. */
  output(chunk: Uint8Array, stream: 'out' | 'err'): void
  /** The program ended and everything it wrote was passed to `output`. */
  end(exit: ProcessExit): void
}

/**
 * After a program's end others may hold its terminal or pipes open: the silence after which they are not waited for.
 */
const IDLE_GRACE_MS = 100
const TOTAL_GRACE_MS = 1000

/**
 * Combines the exit status of a program and the end of its output, which come in either order. Output that a grandchild
 * keeps open is not waited for: `giveUp` closes it after a short silence.
 */
export function createEnding(source: { end(exit: ProcessExit): void; giveUp(): void; isPaused(): boolean }) {
  let exit: ProcessExit | null = null
  let drained = false
  let ended = false
  let idle: NodeJS.Timeout | null = null
  let giveUpAt = 0
  let chunks = 0

  const settle = () => {
    if (ended || !exit || !drained) return
    ended = true
    if (idle) clearTimeout(idle)
    source.end(exit)
  }
  const waitForSilence = () => {
    if (idle) clearTimeout(idle)
    const seen = chunks
    const rest = Math.max(0, giveUpAt - performance.now())
    idle = setTimeout(
      () => {
        if (source.isPaused()) {
          giveUpAt = performance.now() + TOTAL_GRACE_MS
          return waitForSilence()
        }
        // On a busy machine the timer may fire while output waits to be read, so one more poll decides.
        setImmediate(() => {
          if (ended || drained || (seen !== chunks && performance.now() < giveUpAt)) return
          source.giveUp()
          drained = true
          settle()
        })
      },
      Math.min(IDLE_GRACE_MS, rest),
    )
  }
  return {
    exited(value: ProcessExit) {
      exit = value
      giveUpAt = performance.now() + TOTAL_GRACE_MS
      if (drained) settle()
      else waitForSilence()
    },
    drained() {
      drained = true
      settle()
    },
    /** Output came: restarts the silence timer. */
    active() {
      chunks++
      if (exit && !ended) waitForSilence()
    },
  }
}

const ENDING_SIGNALS = new Set<NodeJS.Signals>(['SIGTERM', 'SIGKILL', 'SIGHUP'])

/** Sends a signal to a program that has not ended: to its group, or to itself in the moment before it has one. */
export function signalProgram(pid: number, name: NodeJS.Signals): void {
  if (signalGroup(pid, name) || process.platform === 'win32') return
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/**
 * Sends a signal to the program's group. Signals that end it also go to the other groups of its session, which a shell
 * with job control creates for what it starts.
 */
export function signalGroup(pid: number, name: NodeJS.Signals | 0): boolean {
  return signalGroups(name !== 0 && ENDING_SIGNALS.has(name) ? groupsOf([pid]) : [pid], name)
}

/** Sends a signal to each of these groups; returns whether one of them exists. */
export function signalGroups(groups: Iterable<number>, name: NodeJS.Signals | 0): boolean {
  let reached = false
  for (const group of groups) {
    if (process.platform === 'win32') {
      reached = signalOnWindows(group, name) || reached
      continue
    }
    try {
      process.kill(-group, name)
      reached = true
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  return reached
}

/** The groups of these programs and of their sessions, from one process listing. */
export function groupsOf(pids: readonly number[]): Set<number> {
  const groups = new Set(pids)
  const sessions = new Set(pids)
  for (const { session, group } of runningProcesses()) if (sessions.has(session)) groups.add(group)
  return groups
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')
}
