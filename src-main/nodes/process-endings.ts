import { setTimeout as delay } from 'node:timers/promises'
import { endStarted, type LeftOver, signalStarted } from './end-processes'
import type { LookOptions, Wanted } from './survivors'

/** Ending takes the grace period and some retries; it is not waited for longer than this. */
const MOST_MS = 5_000
const endingSignals = new Set<NodeJS.Signals>(['SIGTERM', 'SIGKILL', 'SIGHUP'])

/**
 * Ends the processes of this run together with everything that they have started. Only on this machine: other machines
 * end their own.
 */
export function createProcessEndings(options: {
  /** The pid of a running process, or `null`. */
  pidOf(id: string): number | null
  /** Called with what could not be ended. */
  onLeft?(left: LeftOver[]): void
}) {
  const started = new Set<string>()
  const told = new Set<string>()
  const pending = new Set<Promise<unknown>>()

  const wanted = (ids: Iterable<string>): Wanted =>
    new Map([...ids].filter((id) => started.has(id)).map((id) => [id, options.pidOf(id)]))

  const end = (
    ids: Iterable<string>,
    ask?: readonly NodeJS.Signals[],
    graceMs?: number,
    look?: LookOptions,
  ): Promise<void> => {
    const ended = endStarted(wanted(ids), ask, graceMs, look)
      .then((left) => {
        if (left.length > 0) options.onLeft?.(left)
      })
      .finally(() => pending.delete(ended))
    pending.add(ended)
    return ended
  }

  return {
    started: (id: string): void => void started.add(id),
    /** Registers a start that is under way: `endAll` waits for it, since what does not run yet cannot be ended. */
    starting<T>(start: Promise<T>): Promise<T> {
      const settled = start.catch(() => null).finally(() => pending.delete(settled))
      pending.add(settled)
      return start
    },
    end,
    /** Called when a signal was sent to a process; SIGKILL is also sent to everything it has started. */
    signalled(id: string, name: NodeJS.Signals): void {
      if (!endingSignals.has(name) || !started.has(id)) return
      if (name === 'SIGKILL') void end([id], [])
      else told.add(id)
    },
    /** Called when a process has ended. If it was told to end, what it has started is ended as well. */
    exited(id: string): void {
      if (told.delete(id)) void end([id])
    },
    /** At once, without waiting. */
    killAll: (): void => signalStarted(wanted(started), 'SIGKILL', { orphans: true }),
    /** Ends everything that was ever started and still runs, as when a terminal window closes. */
    async endAll(): Promise<void> {
      if (pending.size > 0) await Promise.race([Promise.all(pending), delay(MOST_MS, undefined, { ref: false })])
      await end(started, ['SIGHUP', 'SIGTERM'], undefined, { orphans: true })
    },
  }
}

export type ProcessEndings = ReturnType<typeof createProcessEndings>
