const usualBackoffMs = 1000
const longestBackoffMs = 60_000
const mostTries = 6
/** A server that ran this long does not count as one that fails at once. */
const steadyMs = 60_000

/** When a server that could not be reached is tried again, and when that is given up. */
export function createRetries(connect: () => void, backoffMs = usualBackoffMs) {
  let failures = 0
  let readyAt = 0
  let timer: NodeJS.Timeout | undefined

  return {
    succeeded: (): void => {
      readyAt = Date.now()
    },
    /** Plans the next attempt. Returns the number of failed ones if there will be none. */
    failed(): number | null {
      failures = readyAt > 0 && Date.now() - readyAt > steadyMs ? 1 : failures + 1
      readyAt = 0
      if (failures >= mostTries) return failures
      timer = setTimeout(connect, Math.min(longestBackoffMs, backoffMs * 2 ** (failures - 1)))
      timer.unref()
      return null
    },
    startOver: (): void => {
      failures = 0
    },
    close: (): void => clearTimeout(timer),
  }
}
