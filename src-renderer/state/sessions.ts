import { type ProcessInfo, waitsForInput } from '../../src-preload/contract/processes'
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

function isUsual({ mode, toolset, model }: Session, { settings, providers }: Begun): boolean {
  if (!settings) return false
  const { defaultMode, defaultToolset } = settings
  return toolset === defaultToolset && mode === defaultMode && model === usualModel(providers, settings.defaultModel)
}

/** What a session's row tells at a glance; the first that holds. */
export type SessionMark = 'answer' | 'input' | 'running' | 'failed' | 'unread'

type Marked = Pick<Engine, 'sessions' | 'processes' | 'lastStop' | 'unread'>

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

/** Programs of any session that wait for somebody to type. */
export const waitingProcesses = ({ processes }: Pick<Engine, 'processes'>): ProcessInfo[] =>
  Object.values(processes).filter(waitsForInput)

/** How much is in the inbox. */
export const waitingCount = (state: Pick<Engine, 'processes' | 'questions'>): number =>
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

/** The list as it is shown: pinned ones, then those of each folder, the last used first, and those put away. */
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

/** Folders that were worked in, the last one first. */
export function recentFolders(sessions: Record<string, Session>, most = 8): string[] {
  return [...new Set(sortedSessions(sessions).map(({ workspace }) => workspace))].slice(0, most)
}

/** The parts of two paths that tell folders of the same name apart: `api (shop)` and `api (blog)`. */
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
