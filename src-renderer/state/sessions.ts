import type { Session } from '../../src-preload/contract/protocol'

/** Newest first. Sub-agents are shown on the cards of the calls that began them. */
export function sortedSessions(sessions: Record<string, Session>): Session[] {
  return Object.values(sessions)
    .filter(({ parentId }) => !parentId)
    .sort((a, b) => b.updatedAt - a.updatedAt || a.id.localeCompare(b.id))
}

/** A turn is under way, be it only waiting for an answer. */
export const isBusy = (session: Session | undefined) => session?.status === 'running' || session?.status === 'waiting'

export interface DayGroup {
  label: string
  sessions: Session[]
}

const day = 24 * 60 * 60 * 1000

/** Sessions under the day they were last used: Today, Yesterday, the last week, the last month, then month by month. */
export function groupByDay(sessions: Session[], now: number): DayGroup[] {
  const groups = new Map<string, Session[]>()
  for (const session of sessions) {
    const label = dayLabel(session.updatedAt, now)
    groups.set(label, [...(groups.get(label) ?? []), session])
  }
  return [...groups].map(([label, list]) => ({ label, sessions: list }))
}

function dayLabel(time: number, now: number): string {
  // Rounded, because a day on which the clocks change has 23 or 25 hours.
  const daysAgo = Math.round((startOfDay(now) - startOfDay(time)) / day)
  if (daysAgo <= 0) return 'Today'
  if (daysAgo === 1) return 'Yesterday'
  if (daysAgo <= 7) return 'Last 7 days'
  if (daysAgo <= 30) return 'Last 30 days'
  return new Date(time).toLocaleDateString('en', { month: 'long', year: 'numeric' })
}

const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0)
