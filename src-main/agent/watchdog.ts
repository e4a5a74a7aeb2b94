export type SilencePhase = 'first-byte' | 'idle' | 'keep-alive'

interface SilenceLimits {
  firstByteMs: number
  idleMs: number
}

interface SilenceListener {
  /** Once a second while nothing has come for a few seconds. */
  tick(phase: 'first-byte' | 'idle', secondsLeft: number): void
  /** The limit has passed; nothing follows. */
  timeout(phase: SilencePhase): void
}

/** Bytes that hold a connection open put the limit off, but not for ever: this many times the longer limit at most. */
export const keepAliveFactor = 5
/** How long nothing may come before a countdown is worth showing; a little less than a whole number of checks. */
const quietMs = 2950
const checkMs = 1000

/**
 * Watches a stream for silence. Keep-alive bytes put the deadline off for a while, but only output ends the countdown: a
 * server that pings for a minute is alive, and the user still wants to see that nothing comes.
 */
export const watchSilence = (limits: SilenceLimits, listener: SilenceListener) => {
  let phase: 'first-byte' | 'idle' = 'first-byte'
  let lastSign = performance.now()
  let lastOutput = lastSign

  const aliveMs = keepAliveFactor * Math.max(limits.firstByteMs, limits.idleMs)
  const untilSilent = () => (phase === 'idle' ? limits.idleMs : limits.firstByteMs) - (performance.now() - lastSign)
  const left = () => Math.min(untilSilent(), aliveMs - (performance.now() - lastOutput))
  const check = () => {
    const remaining = left()
    // Timers may fire a little early.
    if (remaining < 2) {
      listener.timeout(untilSilent() < 2 ? phase : 'keep-alive')
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
