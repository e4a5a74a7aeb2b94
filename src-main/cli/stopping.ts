import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type StopSignal = (typeof stopSignals)[number]

const numbers: Record<StopSignal, number> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }
/** How long an orderly end may take before it is hurried, and after that. */
const orderlyMs = 10_000
const hurriedMs = 2_000
const againMs = 200

/** The one place of the command line that hears of signals, and of the end of the process that started it. */
export interface Stopping {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** What a shell reports for that signal; null while none has come. */
  readonly exitCode: number | null
  /** As if the signal had come. */
  stop(name: StopSignal): void
  /**
   * From now on the command ends by itself, in order, once `signal` has aborted. `hurry` is called when that takes too long
   * or another signal comes: it ends at once whatever the command has started, and is called again for what has started since
   * then. A little later the process ends in any case.
   */
  attend(hurry: () => void): void
}

/** Until a command attends to signals itself, the first one calls `endNow` with the exit code. */
export function listenForStop(endNow: (code: number) => void): Stopping {
  const controller = new AbortController()
  let exitCode: number | null = null
  let hurry: (() => void) | null = null
  let hurried = false

  const endSoon = () => {
    if (hurried) return
    hurried = true
    setTimeout(() => {
      hurry?.()
      process.exit(exitCode ?? 1)
    }, hurriedMs).unref()
    setInterval(() => hurry?.(), againMs).unref()
    hurry?.()
  }
  const stop = (name: StopSignal) => {
    if (exitCode !== null) return endSoon()
    exitCode = 128 + numbers[name]
    if (!hurry) return endNow(exitCode)
    setTimeout(endSoon, orderlyMs).unref()
    controller.abort(new DOMException('Interrupted', 'AbortError'))
  }
  for (const name of stopSignals) process.on(name, () => stop(name))
  onLauncherEnd(() => stop('SIGHUP'))

  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    stop,
    attend(next) {
      hurry = next
    },
  }
}

/**
 * The wrapper that started this process holds the other end of a pipe, which closes with it even when it is killed. Nobody
 * would be left then to whom the work could be told.
 */
function onLauncherEnd(ended: () => void): void {
  const fd = Number(process.env.DECKHAND_LAUNCHER_FD ?? Number.NaN)
  if (!Number.isInteger(fd) || !isPipe(fd)) return
  const pipe = new Socket({ fd, readable: true, writable: false })
  pipe.on('error', () => pipe.destroy())
  pipe.on('close', ended)
  pipe.resume().unref()
}

function isPipe(fd: number): boolean {
  try {
    const found = fstatSync(fd)
    return found.isSocket() || found.isFIFO()
  } catch {
    return false // The variable came from somewhere else.
  }
}
