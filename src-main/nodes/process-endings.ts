import { setTimeout as delay } from 'node:timers/promises'
import { endStarted, type LeftOver, signalStarted } from './end-processes'
import type { Wanted } from './survivors'

/** An ending takes its grace and some insisting; one that takes longer than this is not waited for. */
const MOST_MS = 5_000
const endingSignals = new Set<NodeJS.Signals>(['SIGTERM', 'SIGKILL', 'SIGHUP'])

/**
 * Sees to it that the processes of this run end together with all that they have started. Only those of this machine: what
 * runs elsewhere is ended there.
 */
export function createProcessEndings(options: {
  /** The pid of a process that runs, or `null`. */
  pidOf(id: string): number | null
  /** Of what could not be ended. */
  onLeft?(left: LeftOver[]): void
}) {
  const started = new Set<string>()
  const told = new Set<string>()
  const pending = new Set<Promise<void>>()

  const wanted = (ids: Iterable<string>): Wanted =>
    new Map([...ids].filter((id) => started.has(id)).map((id) => [id, options.pidOf(id)]))

  const end = (ids: Iterable<string>, ask?: readonly NodeJS.Signals[], graceMs?: number): Promise<void> => {
    const ended = endStarted(wanted(ids), ask, graceMs)
      .then((left) => {
        if (left.length > 0) options.onLeft?.(left)
      })
      .finally(() => pending.delete(ended))
    pending.add(ended)
    return ended
  }

  return {
    started: (id: string): void => void started.add(id),
    end,
    /** A process was sent a signal; one that cannot be refused goes to all that it has started as well. */
    signalled(id: string, name: NodeJS.Signals): void {
      if (!endingSignals.has(name) || !started.has(id)) return
      if (name === 'SIGKILL') void end([id], [])
      else told.add(id)
    },
    /** A process has ended. If it was told to, what it has started ends with it. */
    exited(id: string): void {
      if (told.delete(id)) void end([id])
    },
    /** At once, for whoever cannot wait. */
    killAll: (): void => signalStarted(wanted(started), 'SIGKILL'),
    /** Everything that was ever started and still runs, as when a terminal window closes. */
    async endAll(): Promise<void> {
      if (pending.size > 0) await Promise.race([Promise.all(pending), delay(MOST_MS, undefined, { ref: false })])
      await end(started, ['SIGHUP', 'SIGTERM'])
    },
  }
}
