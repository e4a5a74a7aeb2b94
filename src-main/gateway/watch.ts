/** Calls back once nothing has been touched for so long. */
export function createWatch(ms: number, onIdle: () => void) {
  let touchedAt = performance.now()
  const look = () => {
    const left = ms - (performance.now() - touchedAt)
    if (left <= 0) return onIdle()
    timer = setTimeout(look, left)
  }
  let timer = setTimeout(look, ms)
  return {
    /** `ms`: how long the next sign of life may take beyond what is usual. */
    touch: (ms = 0): void => {
      touchedAt = performance.now() + ms
    },
    stop: (): void => clearTimeout(timer),
  }
}

/** Now, or soon: several times soon are one. */
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
