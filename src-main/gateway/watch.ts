/** Calls `onIdle` when `touch` has not been called for `ms`. */
export function createWatch(ms: number, onIdle: () => void) {
  let touchedAt = performance.now()
  const look = () => {
    const left = ms - (performance.now() - touchedAt)
    if (left <= 0) return onIdle()
    timer = setTimeout(look, left)
  }
  let timer = setTimeout(look, ms)
  return {
    /** `ms`: extra time, beyond the usual limit, until the next call is due. */
    touch: (ms = 0): void => {
      touchedAt = performance.now() + ms
    },
    stop: (): void => clearTimeout(timer),
  }
}

/** Runs `act` at once (`now`) or within `ms` (`soon`); several `soon` calls are combined into one. */
export function throttled(ms: number, act: () => void) {
  let timer: NodeJS.Timeout | null = null
  return {
    now(): void {
      if (timer) clearTimeout(timer)
      timer = null
      act()
    },
    soon(): void {
      timer ??= setTimeout(() => {
        timer = null
        act()
      }, ms)
    },
  }
}
