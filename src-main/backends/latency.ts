import { endMarks, openChannel } from '../nodes/channel'
import type { Reach } from '../nodes/reach'

const answerMs = 20_000

/** How long a word takes there and back, once the way stands. Throws `BackendError`. */
export async function measureLatency(reach: Reach): Promise<number> {
  const channel = await openChannel(reach, ':')
  try {
    const answer = () => channel.request((token) => endMarks(token), { timeoutMs: answerMs })
    // The first one also waits for the program to start.
    await answer()
    const began = performance.now()
    await answer()
    return Math.round((performance.now() - began) * 10) / 10
  } finally {
    channel.close()
  }
}
