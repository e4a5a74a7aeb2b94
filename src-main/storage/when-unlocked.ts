import { setTimeout as sleep } from 'node:timers/promises'
import { isLock } from './storage-error'

/** Who holds a database longer than this has forgotten it. */
const longestMs = 10 * 60_000
const lookEveryMs = 250

/**
 * Does what needs the database. While another program has locked it, this waits, in steps that leave the event loop free,
 * and says so once a second. Everything else that goes wrong is thrown at once.
 */
export async function whenUnlocked<Result>(
  work: () => Result,
  { signal, waiting }: { signal?: AbortSignal; waiting(secondsLeft: number): void },
): Promise<Result> {
  const end = Date.now() + longestMs
  let told = Number.POSITIVE_INFINITY
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLock(error) || Date.now() > end) throw error
    }
    const secondsLeft = Math.ceil((end - Date.now()) / 1000)
    if (secondsLeft < told) waiting(secondsLeft)
    told = secondsLeft
    await sleep(lookEveryMs, undefined, signal ? { signal } : {})
  }
}
