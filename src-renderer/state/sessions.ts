import { type ProcessInfo, waitsForInput } from '../../src-preload/contract/processes'
import type { Session } from '../../src-preload/contract/sessions'
import type { MainState } from './main-state'
import { usualModel } from './models'
import type { View } from './view'

/** Newest first, without sub-agents, which are shown on the cards of the calls that started them. */
export function sortedSessions(sessions: Record<string, Session>): Session[] {
  return Object.values(sessions)
    .filter(({ parentId }) => !parentId)
    .sort((a, b) => b.updatedAt - a.updatedAt || a.id.localeCompare(b.id))
}

/** Whether a turn is under way, even if it only waits for an answer. */
export const isBusy = (session: Session | undefined) => session?.status === 'running' || session?.status === 'waiting'

type Begun = Pick<MainState, 'sessions' | 'transcripts' | 'queues' | 'processes' | 'settings' | 'providers'> &
  Pick<View, 'drafts' | 'attachments'>

/** Whether a session is like a new one: nothing was said, typed, started or chosen in it yet. */
export function isUntouched(state: Begun, id: string): boolean {
  const session = state.sessions[id]
  const transcript = state.transcripts[id]
  if (session?.key !== '' || session.agentId !== 'main' || isBusy(session) || !isUsual(session, state)) return false
  if (!transcript?.complete || transcript.messages.length > 0) return false
  const written = state.drafts[id]?.trim() || state.attachments[id]?.length || state.queues[id]?.length
  return !written && !Object.values(state.processes).some(({ sessionId }) => sessionId === id)
}

function isUsual({ mode, toolset, model }: Session, { settings, providers }: Begun): boolean {
  if (!settings) return false
  const { defaultMode, defaultToolset } = settings
  return toolset === defaultToolset && mode === defaultMode && model === usualModel(providers, settings.defaultModel)
}

/** The mark on a session's row; the first that applies. */
export type SessionMark = 'answer' | 'input' | 'running' | 'failed' | 'unread'

type Marked = Pick<MainState, 'sessions' | 'processes' | 'lastStop' | 'unread'>

export function sessionMark(state: Marked, id: string): SessionMark | null {
  const session = state.sessions[id]
  if (!session) return null
  if (session.waiting > 0) return 'answer'
  for (const process of Object.values(state.processes))
    if (process.sessionId === id && waitsForInput(process)) return 'input'
  if (session.status === 'running') return 'running'
  if (session.status === 'interrupted' || state.lastStop[id] === 'failed') return 'failed'
  return state.unread[id] ? 'unread' : null
}

/** Programs of all sessions that wait for the user to type. */
export const waitingProcesses = ({ processes }: Pick<MainState, 'processes'>): ProcessInfo[] =>
  Object.values(processes).filter(waitsForInput)

/** The number of items in the inbox. */
export const waitingCount = (state: Pick<MainState, 'processes' | 'questions'>): number =>
  Object.keys(state.questions).length + waitingProcesses(state).length

interface FolderGroup {
  folder: string
  sessions: Session[]
}

interface SessionGroups {
  pinned: Session[]
  folders: FolderGroup[]
  archived: Session[]
}

/** The list as it is shown: pinned sessions, then by folder, the last used first, then archived ones. */
export function groupByFolder(sessions: Session[]): SessionGroups {
  const folders = new Map<string, Session[]>()
  for (const session of sessions) {
    if (session.pinned || session.archived) continue
    const held = folders.get(session.workspace)
    if (held) held.push(session)
    else folders.set(session.workspace, [session])
  }
  return {
    pinned: sessions.filter(({ pinned, archived }) => pinned && !archived),
    folders: [...folders].map(([folder, list]) => ({ folder, sessions: list })),
    archived: sessions.filter(({ archived }) => archived),
  }
}

/** The folders of recent sessions, the latest first. */
export function recentFolders(sessions: Record<string, Session>, most = 8): string[] {
  return [...new Set(sortedSessions(sessions).map(({ workspace }) => workspace))].slice(0, most)
}

/** Labels that tell folders with the same name apart: `api (shop)` and `api (blog)`. */
export function folderLabels(folders: string[]): Map<string, string> {
  const last = (path: string) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
  const parent = (path: string) => path.split(/[\\/]/).filter(Boolean).at(-2) ?? ''
  const names = folders.map(last)
  return new Map(
    folders.map((folder, at) => {
      const name = names[at] ?? folder
      const twice = names.filter((other) => other === name).length > 1
      return [folder, twice && parent(folder) ? `${name} (${parent(folder)})` : name]
    }),
  )
}
