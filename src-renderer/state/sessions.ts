import type { Session } from '../../src-preload/contract/sessions'
import type { Engine } from './engine'
import { usualModel } from './models'
import type { View } from './view'

/** Newest first. Sub-agents are shown on the cards of the calls that began them. */
export function sortedSessions(sessions: Record<string, Session>): Session[] {
  return Object.values(sessions)
    .filter(({ parentId }) => !parentId)
    .sort((a, b) => b.updatedAt - a.updatedAt || a.id.localeCompare(b.id))
}

/** A turn is under way, be it only waiting for an answer. */
export const isBusy = (session: Session | undefined) => session?.status === 'running' || session?.status === 'waiting'

type Begun = Pick<Engine, 'sessions' | 'transcripts' | 'queues' | 'processes' | 'settings' | 'providers'> &
  Pick<View, 'drafts' | 'attachments'>

/** An ordinary session as a new one would be: nothing was said, written, started or chosen in it yet. */
export function isUntouched(state: Begun, id: string): boolean {
  const session = state.sessions[id]
  const transcript = state.transcripts[id]
  if (session?.key !== '' || session.agentId !== 'main' || isBusy(session) || !isUsual(session, state)) return false
  if (!transcript?.complete || transcript.messages.length > 0) return false
  const written = state.drafts[id]?.trim() || state.attachments[id]?.length || state.queues[id]?.length
  return !written && !Object.values(state.processes).some(({ sessionId }) => sessionId === id)
}

function isUsual({ mode, workspace, toolset, model }: Session, { settings, providers }: Begun): boolean {
  if (!settings) return false
  const { defaultMode, defaultWorkspace, defaultToolset } = settings
  const sameRoom = workspace === defaultWorkspace && toolset === defaultToolset
  return sameRoom && mode === defaultMode && model === usualModel(providers, settings.defaultModel)
}

interface DayGroup {
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
