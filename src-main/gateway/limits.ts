/** A token bucket for rate limiting. */
export function createBucket(options: { size: number; perSecond: number; clock: () => number }) {
  let left = options.size
  let filledAt = options.clock()
  return {
    take(count = 1): boolean {
      const now = options.clock()
      left = Math.min(options.size, left + ((now - filledAt) / 1000) * options.perSecond)
      filledAt = now
      if (left < count) return false
      left -= count
      return true
    },
  }
}

const allowedFailures = 20
const windowMs = 60_000
const keptAddresses = 1000

/** Counts failed attempts per address. Loopback counts too, since a local program can also guess tokens. */
export function createFailureLimit(clock: () => number) {
  const recent = new Map<string, number[]>()
  const within = (address: string): number[] => (recent.get(address) ?? []).filter((at) => clock() - at < windowMs)
  return {
    exceeded: (address: string): boolean => within(address).length >= allowedFailures,
    note(address: string): void {
      const times = [...within(address), clock()]
      recent.delete(address)
      recent.set(address, times)
      const [oldest] = recent.keys()
      if (recent.size > keptAddresses && oldest !== undefined) recent.delete(oldest)
    },
  }
}
