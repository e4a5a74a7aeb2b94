type SilencePhase = 'first-byte' | 'idle'

interface SilenceLimits {
  firstByteMs: number
  idleMs: number
}

interface SilenceListener {
  /** Once a second while nothing has come for a few seconds. */
  tick(phase: SilencePhase, secondsLeft: number): void
  /** The limit has passed; nothing follows. */
  timeout(phase: SilencePhase): void
}

/** How long nothing may come before a countdown is worth showing; a little less than a whole number of checks. */
const quietMs = 2950
const checkMs = 1000

/**
 * Watches a stream for silence. Keep-alive bytes put the deadline off, but only output ends the countdown: a server that
 * pings for a minute is alive, and the user still wants to see that nothing comes.
 */
export const watchSilence = (limits: SilenceLimits, listener: SilenceListener) => {
  let phase: SilencePhase = 'first-byte'
  let lastSign = performance.now()
  let lastOutput = lastSign

  const left = () => (phase === 'idle' ? limits.idleMs : limits.firstByteMs) - (performance.now() - lastSign)
  const check = () => {
    const remaining = left()
    // Timers may fire a little early.
    if (remaining < 2) {
      listener.timeout(phase)
      return
    }
    if (performance.now() - lastOutput >= quietMs) listener.tick(phase, Math.ceil(remaining / 1000))
    timer = setTimeout(check, Math.min(remaining, checkMs))
  }
  let timer = setTimeout(check, Math.min(left(), checkMs))

  return {
    sign() {
      phase = 'idle'
      lastSign = performance.now()
    },
    output() {
      phase = 'idle'
      lastSign = lastOutput = performance.now()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
