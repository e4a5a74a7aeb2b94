interface HeartbeatOptions {
  everyMs: number
  ping(): void
  /** The peer has not answered the last ping. */
  silent(): void
}

/** Pings a peer again and again: notices one that is gone, and measures how long it takes to answer. */
interface Heartbeat {
  /** Duration of the last round trip; `null` until it was measured. */
  readonly latencyMs: number | null
  answered(): void
  /** No answer can be read while reading is paused. */
  pause(): void
  resume(): void
  stop(): void
}

export function startHeartbeat({ everyMs, ping, silent }: HeartbeatOptions): Heartbeat {
  let latencyMs: number | null = null
  let pingedAt: number | null = null
  let paused = false
  const beat = (): void => {
    if (paused) return
    if (pingedAt !== null) {
      silent()
      return
    }
    pingedAt = performance.now()
    ping()
  }
  const timer = setInterval(beat, everyMs)
  timer.unref()
  // Measures the latency at once instead of after the first interval.
  const first = setImmediate(() => {
    if (pingedAt === null) beat()
  })
  return {
    get latencyMs() {
      return latencyMs
    },
    answered: () => {
      if (pingedAt === null) return
      latencyMs = Math.round((performance.now() - pingedAt) * 10) / 10
      pingedAt = null
    },
    pause: () => {
      paused = true
    },
    resume: () => {
      paused = false
      pingedAt = null
    },
    stop: () => {
      clearInterval(timer)
      clearImmediate(first)
    },
  }
}
