import { call } from './bridge'
import { load } from './load'
import { isNarrow } from './narrow'
import { waitingProcesses } from './sessions'
import { getState, openSession, type State, setState } from './store'
import { attempt, toast } from './toasts'
import { loadAround, loadLatest, pageUnderWay } from './transcript-pages'
import type { Overlay, Page } from './view'

/** Navigation to pages, sessions, messages, questions and terminals. Nothing here changes a session. */

export const showPage = (page: Page) => setState({ page, overlay: null })

/** Opens the settings at one of their sections. */
export const openSettings = (section: string) =>
  setState({ page: 'settings', overlay: null, aimedSetting: { id: section, at: Date.now() } })

/** Shows a rule in the list of all rules. */
export const showRule = (id: string) => setState({ page: 'rules', overlay: null, aimedRule: { id, at: Date.now() } })

/** Shows the last call that a rule allowed. */
export const showLastUse = (ruleId: string): Promise<void> =>
  attempt(
    call('rule.lastCall', { id: ruleId }).then((callId) =>
      callId ? showCall(callId) : toast({ kind: 'info', text: 'What it let run is not kept any more.' }),
    ),
  )

export const openOverlay = (overlay: Overlay) => setState({ overlay })
export const toggleSidebar = () => setState((state) => ({ sidebarOpen: !state.sidebarOpen }))
export const toggleDeck = () =>
  setState((state) => {
    if (isNarrow()) return { drawerOpen: !state.drawerOpen }
    return isDeckShown(state) ? { deckOpen: false, emptyDeck: null } : { deckOpen: true, emptyDeck: state.selectedId }
  })

/** A deck without terminals stays closed until the user opens it. */
export const isDeckShown = (
  state: Pick<State, 'deckOpen' | 'emptyDeck' | 'beside' | 'selectedId' | 'processes'>,
): boolean =>
  state.deckOpen &&
  state.selectedId !== null &&
  (state.beside === 'review' ||
    state.emptyDeck === state.selectedId ||
    Object.values(state.processes).some(({ sessionId }) => sessionId === state.selectedId))

export const setExpanded = (id: string, open: boolean) =>
  setState((state) => ({ expanded: { ...state.expanded, [id]: open } }))

export function selectSession(id: string): void {
  openSession(id)
  if (!getState().transcripts[id]) attempt(loadLatest(id))
  attempt(load('process.list', { sessionId: id }))
  attempt(load('queue.list', { sessionId: id }))
}

/** Shows a pane in the deck of its session and focuses it. */
export function focusProcess(id: string): void {
  const { processes, selectedId } = getState()
  const process = processes[id]
  if (process && process.sessionId !== selectedId) selectSession(process.sessionId)
  setState({
    page: 'chat',
    deckOpen: true,
    drawerOpen: true,
    beside: 'terminals',
    overlay: null,
    aimedProcess: { id, at: Date.now() },
  })
}

/** Goes to a waiting question, wherever it is: opens its session and focuses its card. */
export function focusQuestion(id: string): void {
  const open = getState().questions[id]
  if (!open) return
  const { sessionId, messageId } = open.call
  selectSession(sessionId)
  const held = getState().transcripts[sessionId]?.messages
  if (held && !held.some((message) => message.id === messageId)) return void showCall(open.call.id, id)
  // The same time for both: the transcript finds the message, and then its card takes the focus.
  const at = Date.now()
  setState({ aimedQuestion: { id, at }, aimedMessage: { id: messageId, at }, drawerOpen: false })
}

/** Shows a call in the chat, and focuses its question if it has one. */
export const showCall = (callId: string, questionId?: string): Promise<void> =>
  attempt(
    call('call.place', { callId }).then(({ sessionId, messageId, seq }) =>
      openMessage(sessionId, messageId, seq, questionId),
    ),
  )

/** Goes to the oldest waiting question, in this session before others; if repeated, to the next one. */
export function focusNextQuestion(): void {
  const { questions, selectedId, aimedQuestion } = getState()
  const here = (sessionId: string) => (sessionId === selectedId ? 0 : 1)
  const waiting = Object.values(questions)
    .map((open) => open.question)
    .sort((a, b) => here(a.sessionId) - here(b.sessionId) || a.createdAt - b.createdAt)
  const current = waiting.findIndex((question) => question.id === aimedQuestion?.id)
  const next = waiting[(current + 1) % waiting.length]
  const [program] = waitingProcesses(getState())
  if (next) focusQuestion(next.id)
  else if (program) focusProcess(program.id)
  else toast({ kind: 'info', text: 'Nothing is waiting for you.' })
}

export async function openMessage(
  sessionId: string,
  messageId: string,
  seq: number,
  questionId?: string,
): Promise<void> {
  selectSession(sessionId)
  await pageUnderWay(sessionId)
  const held = getState().transcripts[sessionId]?.messages
  if (!held?.some((message) => message.id === messageId)) await loadAround(sessionId, seq)
  const at = Date.now()
  setState({
    aimedMessage: { id: messageId, at },
    ...(questionId && { aimedQuestion: { id: questionId, at }, drawerOpen: false }),
  })
}

/** The composer marks its text area with this attribute, so that any part of the window can return the focus to it. */
export function focusComposer(): void {
  setState({ page: 'chat' })
  requestAnimationFrame(() => document.querySelector<HTMLTextAreaElement>('[data-composer]')?.focus())
}
