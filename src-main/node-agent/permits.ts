import { z } from 'zod'
import { permit } from '../gateway/wire'

/** More than any gateway asks for in the time that a permit holds. */
const rememberedCalls = 100_000

const hello = z.object({ server: z.object({ connectionId: z.string(), time: z.number() }) })

/**
 * What the gateway allows: each call once, over the very connection that this node proved its key on, and soon. A frame
 * that somebody kept is worth nothing later or elsewhere.
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
    /** A gateway that gives permits tells its time in the greeting, since the clocks of two machines differ. */
    greeted(answer: unknown): void {
      const read = hello.safeParse(answer)
      connection = read.success ? { id: read.data.server.connectionId, ahead: clock() - read.data.server.time } : null
    },
    /** Uses a call up. What comes back is why it must not be made. */
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
