import { hash } from 'node:crypto'
import type { Content } from '../../src-preload/contract/content'
import type { ModelCall } from './model'

/** Fields of a result that differ from run to run although nothing has changed. */
const volatile = /\\?"(sessionId|processId|pid|startedAt|endedAt|durationMs)\\?"\s*:\s*(?:\\?"[^"\\]*\\?"|-?[\d.]+)/g

const fingerprint = (...texts: string[]) => hash('sha1', texts.join('\0'), 'base64')

/**
 * Notices a model that goes round in circles: the same call with the same result, also when it alternates between two of
 * them. A changing call that is new to the turn counts as progress (edit, test, edit, test) and starts the count afresh.
 */
export const watchRepeats = () => {
  const counts = new Map<string, number>()
  const seen = new Set<string>()

  return {
    /** How often this call has now had this result. */
    count(call: ModelCall, content: Content[], readOnly: boolean): number {
      const asked = fingerprint(call.name, call.arguments)
      if (!readOnly && !seen.has(asked)) counts.clear()
      seen.add(asked)
      const key = fingerprint(asked, JSON.stringify(content).replace(volatile, '$1'))
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count
    },
    forget() {
      counts.clear()
    },
  }
}
