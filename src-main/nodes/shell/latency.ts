import { endMarks, openChannel } from './channel'
import type { RemoteShell } from './remote-shell'

const answerMs = 20_000

/** The duration of a round trip over an open connection. Throws `NodeError`. */
export async function measureLatency(shell: RemoteShell): Promise<number> {
  const channel = await openChannel(shell, ':')
  try {
    const answer = () => channel.request((token) => endMarks(token), { timeoutMs: answerMs })
    // The first round trip includes the start of the program.
    await answer()
    const began = performance.now()
    await answer()
    return Math.round((performance.now() - began) * 10) / 10
  } finally {
    channel.close()
  }
}
