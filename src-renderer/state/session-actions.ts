import type { CallInput } from '../../src-preload/contract/ipc'
import type { Effort } from '../../src-preload/contract/models'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { call } from './bridge'
import { focusComposer, focusProcess, selectSession } from './navigate'
import { isUntouched, sortedSessions } from './sessions'
import { getState } from './store'
import { attempt, toast } from './toasts'

/** The user's actions on a session. Each is a call whose effect comes back as an event. */

/** Set while a new session is created, so that a second key press does not create another. */
let creating = false

/** Creates a session, unless the one that is shown is still unused: another would only fill the list. */
export function newSession(): void {
  const state = getState()
  if (creating) return
  if (state.selectedId && isUntouched(state, state.selectedId)) focusComposer()
  else createSession(whereTheUserIs(state))
}

/** A new session uses the folder of the one that is shown. */
function whereTheUserIs({ sessions, selectedId }: ReturnType<typeof getState>): { workspace?: string } {
  const workspace = selectedId ? sessions[selectedId]?.workspace : undefined
  return workspace ? { workspace } : {}
}

export const newSessionIn = (workspace: string): void => createSession({ workspace })
export const newSessionWith = (agentId: string): void => createSession({ agentId })

function createSession(wish: CallInput<'session.create'>): void {
  creating = true
  attempt(
    call('session.create', wish)
      .then((id) => {
        selectSession(id)
        focusComposer()
      })
      .finally(() => {
        creating = false
      }),
  )
}

export const renameSession = (id: string, title: string) => attempt(call('session.update', { id, title }))
export const pinSession = (id: string, pinned: boolean) => attempt(call('session.update', { id, pinned }))
export const setWorkspace = (id: string, workspace: string) => attempt(call('session.update', { id, workspace }))

export function archiveSession(id: string, archived: boolean): void {
  const title = getState().sessions[id]?.title || 'New session'
  const undo = () => attempt(call('session.update', { id, archived: false }))
  attempt(
    call('session.update', { id, archived }).then(() => {
      if (archived) toast({ kind: 'info', text: `Archived “${title}”.`, action: { label: 'Undo', run: undo } })
    }),
  )
}

export const setMode = (id: string, mode: ApprovalMode) => attempt(call('session.update', { id, mode }))
export const setEffort = (id: string, effort: Effort | null) => attempt(call('session.update', { id, effort }))
export const setModel = (id: string, model: string) => attempt(call('session.update', { id, model }))

export function deleteSession(id: string): void {
  const { sessions, selectedId } = getState()
  const title = sessions[id]?.title || 'New session'
  const order = sortedSessions(sessions)
  const place = order.findIndex((session) => session.id === id)
  const neighbour = order[place + 1] ?? order[place - 1]
  attempt(
    call('session.delete', { id }).then(() => {
      if (selectedId === id) neighbour ? selectSession(neighbour.id) : newSession()
      const restore = () => attempt(call('session.restore', { id }).then(() => selectSession(id)))
      toast({ kind: 'info', text: `Deleted “${title}”.`, action: { label: 'Undo', run: restore } })
    }),
  )
}

export function exportSession(id: string, format: 'markdown' | 'json'): void {
  attempt(
    call('session.export', { id, format }).then((path) => {
      if (path) toast({ kind: 'info', text: `Saved to ${path}` })
    }),
  )
}

export function chooseWorkspace(id: string): void {
  const start = getState().sessions[id]?.workspace
  attempt(
    call('app.chooseFolder', start ? { start } : {}).then((folder) =>
      folder ? call('session.update', { id, workspace: folder }) : null,
    ),
  )
}

export const openTerminalOfMyOwn = (sessionId: string) =>
  attempt(call('process.open', { sessionId }).then(focusProcess))
