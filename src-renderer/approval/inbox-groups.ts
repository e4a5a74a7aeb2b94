import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { OpenQuestion } from '../state/main-state'

interface InboxGroup {
  sessionId: string
  open: OpenQuestion[]
  /** Programs that wait for somebody to type. */
  processes: ProcessInfo[]
}

/**
 * What waits, by session. Questions come before processes, in a group and among groups, and the longest waiting first.
 */
export function groupBySession(open: OpenQuestion[], processes: ProcessInfo[]): InboxGroup[] {
  const groups = new Map<string, InboxGroup>()
  const groupOf = (sessionId: string): InboxGroup => {
    const group = groups.get(sessionId) ?? { sessionId, open: [], processes: [] }
    groups.set(sessionId, group)
    return group
  }
  const oldestFirst = [...open].sort((a, b) => a.question.createdAt - b.question.createdAt)
  for (const entry of oldestFirst) groupOf(entry.question.sessionId).open.push(entry)
  for (const process of [...processes].sort((a, b) => a.startedAt - b.startedAt))
    groupOf(process.sessionId).processes.push(process)
  return [...groups.values()]
}
