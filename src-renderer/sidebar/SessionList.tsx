import { useMemo } from 'react'
import { groupByDay, sortedSessions } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { SessionRow } from './SessionRow'

export function SessionList() {
  const sessions = useDeckhand((state) => state.sessions)
  const groups = useMemo(() => groupByDay(sortedSessions(sessions), Date.now()), [sessions])
  return groups.map((group) => (
    <section key={group.label} aria-label={group.label}>
      <h2 className="sidebar-day">{group.label}</h2>
      <ul className="sidebar-rows">
        {group.sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </section>
  ))
}
