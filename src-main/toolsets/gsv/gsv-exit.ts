import { randomUUID } from 'node:crypto'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { Toolset } from '../../tools/tool'

const tailChars = 4000

/**
 * The end of a background command as models expect it in this vocabulary: a line that names the event, and its JSON.
 */
export const exitMessageFor = (nodeIdOf: (node: string) => string): NonNullable<Toolset['exitMessage']> => ({
  tailChars,
  of: (process, outputTail) => {
    const { id, node, callId, exitCode, signal, startedAt, endedAt } = process
    const event = {
      eventId: randomUUID(),
      nodeId: nodeIdOf(node),
      sessionId: id,
      ...(callId !== null && { callId }),
      event: eventOf(process),
      exitCode,
      signal,
      outputTail,
      startedAt,
      endedAt,
    }
    return `System event: async_exec_completion\n${JSON.stringify(event)}`
  },
})

const eventOf = ({ timedOut, exitCode }: ProcessInfo): 'finished' | 'failed' | 'timed_out' => {
  if (timedOut) return 'timed_out'
  return exitCode === 0 ? 'finished' : 'failed'
}
