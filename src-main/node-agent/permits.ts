import { z } from 'zod'
import { permit } from '../gateway/wire'

/** More calls than a gateway makes while a permit is valid. */
const rememberedCalls = 100_000

const hello = z.object({ server: z.object({ connectionId: z.string(), time: z.number() }) })

/**
 * Checks the permits of the gateway: each is valid for one call, for a short time, and only on the connection on which
 * this node proved its key. A recorded frame cannot be replayed later or on another connection.
 */
export function createPermits(clock: () => number = Date.now) {
  const used = new Set<string>()
  let connection: { id: string; ahead: number } | null = null

  const trouble = (given: unknown): string | null => {
    if (!connection) return null
    const read = permit.safeParse(given)
    if (!read.success) return 'This call comes without a permit'
    if (read.data.connectionId !== connection.id) return 'This call was allowed for another connection'
    return clock() - connection.ahead > read.data.expiresAt ? 'This call was allowed too long ago' : null
  }

  return {
    /** A gateway that issues permits sends its time in the `connect` response, since the two clocks may differ. */
    greeted(answer: unknown): void {
      const read = hello.safeParse(answer)
      connection = read.success ? { id: read.data.server.connectionId, ahead: clock() - read.data.server.time } : null
    },
    /** Marks the call as used. Returns the reason if it must not be made, else null. */
    use(callId: string, given: unknown): string | null {
      if (used.has(callId)) return 'This call was made before'
      used.add(callId)
      const [oldest] = used
      if (used.size > rememberedCalls && oldest !== undefined) used.delete(oldest)
      return trouble(given)
    },
  }
}

export type Permits = ReturnType<typeof createPermits>
