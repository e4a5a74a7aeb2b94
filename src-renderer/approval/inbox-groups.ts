import type { OpenQuestion } from '../state/engine'

interface InboxGroup {
  sessionId: string
  open: OpenQuestion[]
}

/** Questions under their sessions; what has waited longest comes first, in a group and among groups. */
export function groupBySession(open: OpenQuestion[]): InboxGroup[] {
  const groups = new Map<string, OpenQuestion[]>()
  const oldestFirst = [...open].sort((a, b) => a.question.createdAt - b.question.createdAt)
  for (const entry of oldestFirst) {
    const { sessionId } = entry.question
    groups.set(sessionId, [...(groups.get(sessionId) ?? []), entry])
  }
  return [...groups].map(([sessionId, list]) => ({ sessionId, open: list }))
}
