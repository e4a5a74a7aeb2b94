import { endMarks, openChannel } from './channel'
import type { RemoteShell } from './remote-shell'

const answerMs = 20_000

/** How long a word takes there and back, once the way stands. Throws `NodeError`. */
export async function measureLatency(shell: RemoteShell): Promise<number> {
  const channel = await openChannel(shell, ':')
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
