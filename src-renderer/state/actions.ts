import type { Answer } from '../../src-preload/contract/approval'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { CallInput } from '../../src-preload/contract/ipc'
import { type Attachment, longestMessage } from '../../src-preload/contract/messages'
import type { Effort } from '../../src-preload/contract/models'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import type { Theme } from '../../src-preload/contract/settings'
import { call } from './bridge'
import { load } from './load'
import { isNarrow } from './narrow'
import { isUntouched, sortedSessions } from './sessions'
import {
  applyEvents,
  connectionFailed,
  connectionWaits,
  getState,
  greetWith,
  openSession,
  type State,
  setState,
} from './store'
import type { Overlay, Page, Toast } from './view'

/** Everything the user can do. Each either changes the view or makes a call whose effect comes back as an event. */

const pageSize = 100
let lastToast = 0

// ── Start ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What was told before main has answered. */
const early: DeckhandEvent[] = []
let greeted = false

/** Listens first and greets second, so that nothing is missed in between. Ends when main has answered. */
export async function connect(): Promise<void> {
  window.deckhand.onEvent((events) => {
    if (greeted) take(events)
    else {
      early.push(...events.filter(({ type }) => type !== 'note'))
      for (const event of events) if (event.type === 'note') connectionWaits(event.text)
    }
  })
  await greetMain()
}

function take(events: DeckhandEvent[]): void {
  applyEvents(events)
  for (const event of events) {
    if (event.type === 'open-session') followNotification(event.sessionId)
    if (event.type === 'compose') addToDraft(event.text)
    if (event.type === 'note') toast({ kind: 'info', text: event.text })
    if (event.type === 'notify') tellOfMessage(event)
  }
}

/** Asks main for everything: at the start, after a start that failed, and when all of it may have changed. */
export async function greetMain(): Promise<void> {
  await call('hello', {}).then(
    (hello) => {
      greetWith(hello)
      greeted = true
      const { selectedId, sessions } = getState()
      const start = (selectedId && sessions[selectedId]) || sortedSessions(sessions)[0]
      if (start) selectSession(start.id)
      else newSession()
      take(early.splice(0))
      for (const note of hello.notes) toast({ kind: 'info', text: note })
    },
    (error: Error) => connectionFailed(error.message),
  )
}

// ── Moving about ───────────────────────────────────────────────────────────────────────────────────────────────────

export const showPage = (page: Page) => setState({ page, overlay: null })
/** Opens the settings at one of their sections. */
export const openSettings = (section: string) =>
  setState({ page: 'settings', overlay: null, aimedSetting: { id: section, at: Date.now() } })
/** Leads to a rule among all of them. */
export const showRule = (id: string) => setState({ page: 'rules', overlay: null, aimedRule: { id, at: Date.now() } })
/** Leads from a rule to what it let run last. */
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

/** A deck without terminals stays closed until the user asks for it. */
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
export const announce = (announcement: string) => setState({ announcement })

export function selectSession(id: string): void {
  openSession(id)
  if (!getState().transcripts[id]) attempt(loadLatest(id))
  attempt(load('process.list', { sessionId: id }))
  attempt(load('queue.list', { sessionId: id }))
}

function followNotification(sessionId: string): void {
  const waiting = Object.values(getState().questions).find((open) => open.question.sessionId === sessionId)
  if (waiting) focusQuestion(waiting.question.id)
  else if (getState().sessions[sessionId]) selectSession(sessionId)
}

/** A message for the user in a session that is not in sight. */
function tellOfMessage({ sessionId, title, text }: Extract<DeckhandEvent, { type: 'notify' }>): void {
  const { page, selectedId } = getState()
  if (page === 'chat' && selectedId === sessionId) return
  const start = text.length > 160 ? `${text.slice(0, 160)}…` : text
  toast({ kind: 'info', text: `${title}: ${start}`, action: { label: 'Open', run: () => selectSession(sessionId) } })
}

/** Shows a pane in the deck and gives it the keyboard. */
export function focusProcess(id: string): void {
  setState({
    page: 'chat',
    deckOpen: true,
    drawerOpen: true,
    beside: 'terminals',
    overlay: null,
    aimedProcess: { id, at: Date.now() },
  })
}

/** Leads to a waiting question wherever it is: its session opens and its card takes the keyboard. */
export function focusQuestion(id: string): void {
  const open = getState().questions[id]
  if (!open) return
  const { sessionId, messageId } = open.call
  selectSession(sessionId)
  const held = getState().transcripts[sessionId]?.messages
  if (held && !held.some((message) => message.id === messageId)) return void showCall(open.call.id, id)
  // One and the same wish: the transcript finds the message, and then its card takes the keyboard.
  const at = Date.now()
  setState({ aimedQuestion: { id, at }, aimedMessage: { id: messageId, at } })
}

/** Leads to a call in the chat, and gives its question the keyboard if it has one. */
export const showCall = (callId: string, questionId?: string): Promise<void> =>
  attempt(
    call('call.place', { callId }).then(({ sessionId, messageId, seq }) =>
      openMessage(sessionId, messageId, seq, questionId),
    ),
  )

/** The oldest question that waits, in this session before others; asked again, the one after it. */
export function focusNextQuestion(): void {
  const { questions, selectedId, aimedQuestion } = getState()
  const here = (sessionId: string) => (sessionId === selectedId ? 0 : 1)
  const waiting = Object.values(questions)
    .map((open) => open.question)
    .sort((a, b) => here(a.sessionId) - here(b.sessionId) || a.createdAt - b.createdAt)
  const current = waiting.findIndex((question) => question.id === aimedQuestion?.id)
  const next = waiting[(current + 1) % waiting.length]
  if (next) focusQuestion(next.id)
  else toast({ kind: 'info', text: 'Nothing is waiting for you.' })
}

/** Opens a session at one of its messages. */
export async function openMessage(
  sessionId: string,
  messageId: string,
  seq: number,
  questionId?: string,
): Promise<void> {
  selectSession(sessionId)
  await loading.get(sessionId)
  const held = getState().transcripts[sessionId]?.messages
  if (!held?.some((message) => message.id === messageId))
    await readPage(sessionId, { beforeSeq: seq + pageSize / 2, fresh: true })
  const at = Date.now()
  setState({ aimedMessage: { id: messageId, at }, ...(questionId && { aimedQuestion: { id: questionId, at } }) })
}

const loading = new Map<string, Promise<void>>()

/** One read at a time for a session: what joins on to what is held depends on the read before. */
function readPage(sessionId: string, wish: { beforeSeq?: number; fresh?: boolean }): Promise<void> {
  const underWay = loading.get(sessionId)
  if (underWay) return underWay
  const reading = load('session.page', { id: sessionId, limit: pageSize, ...wish }).finally(() =>
    loading.delete(sessionId),
  )
  loading.set(sessionId, reading)
  return reading
}

/** Reads the newest page, in place of whatever is held. */
export const loadLatest = (sessionId: string): Promise<void> => readPage(sessionId, { fresh: true })

/** Reads the page before the oldest message that is held. */
export function loadOlder(sessionId: string): Promise<void> {
  const first = getState().transcripts[sessionId]?.messages[0]
  return first ? readPage(sessionId, { beforeSeq: first.seq }) : loadLatest(sessionId)
}

/** Reads the page after the newest message that is held. */
export function loadNewer(sessionId: string): Promise<void> {
  const last = getState().transcripts[sessionId]?.messages.at(-1)
  return last ? readPage(sessionId, { beforeSeq: last.seq + 1 + pageSize }) : loadLatest(sessionId)
}

// ── Sessions ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** One that nothing was begun in is new enough: another would only fill the list. */
/** The row of a new session is there before it is shown: a second key press in between is not for another one. */
let creating = false

export function newSession(): void {
  const state = getState()
  if (creating) return
  if (state.selectedId && isUntouched(state, state.selectedId)) focusComposer()
  else createSession(whereTheUserIs(state))
}

/** A new session works in the folder of the one that is shown. */
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

// ── Messages ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Sends what the composer holds; a refused message goes back into it. */
export function sendDraft(sessionId: string, how: 'send' | 'steer'): void {
  const { drafts, attachments } = getState()
  const text = drafts[sessionId] ?? ''
  const files = attachments[sessionId] ?? []
  if (!text.trim() && files.length === 0) return
  if (text.length > longestMessage) {
    const most = longestMessage.toLocaleString('en')
    toast({ kind: 'error', text: `A message can have at most ${most} characters. Attach longer text as a file.` })
    return
  }
  setDraft(sessionId, '')
  setAttachments(sessionId, [])
  // What is sent is shown at the end, wherever the user was reading.
  if (getState().transcripts[sessionId]?.latest === false) attempt(loadLatest(sessionId))
  send(sessionId, text, files, how).catch((error: Error) => {
    if (!getState().drafts[sessionId]) setDraft(sessionId, text)
    if (!getState().attachments[sessionId]?.length) setAttachments(sessionId, files)
    toast({ kind: 'error', text: error.message })
  })
}

export function send(sessionId: string, text: string, attachments: Attachment[] = [], how: 'send' | 'steer' = 'send') {
  return call(how === 'steer' ? 'message.steer' : 'message.send', { sessionId, text, attachments })
}

export const setDraft = (sessionId: string, text: string) =>
  setState((state) => {
    const { [sessionId]: _, ...others } = state.drafts
    return { drafts: text ? { ...others, [sessionId]: text } : others }
  })

/** A text from a link: below what was written already, so that nothing is lost, and for the user to send. */
function addToDraft(text: string): void {
  const { selectedId, drafts } = getState()
  if (!selectedId) return
  setState({ page: 'chat', overlay: null })
  setDraft(selectedId, [drafts[selectedId], text].filter(Boolean).join('\n\n'))
  focusComposer()
  toast({ kind: 'info', text: 'A link has filled the message box. Read it before you send it.' })
}

export const setAttachments = (sessionId: string, attachments: Attachment[]) =>
  setState((state) => ({ attachments: { ...state.attachments, [sessionId]: attachments } }))

/** Goes on from a message in a new session, with another model or agent where one is named. */
export function branch(sessionId: string, messageId: string, text: string, model?: string): void {
  attempt(call('message.branch', { sessionId, messageId, text, ...(model && { model }) }).then(selectSession))
}

export const regenerate = (sessionId: string) => attempt(call('message.regenerate', { sessionId }))
export const retry = (sessionId: string) => attempt(call('turn.retry', { sessionId }))
export const stopTurn = (sessionId: string) => attempt(call('turn.stop', { sessionId }))
export const undoCompaction = (sessionId: string, messageId: string) =>
  attempt(call('compaction.undo', { sessionId, messageId }))

export const undoRewind = (sessionId: string, rewindId: string) => attempt(call('rewind.undo', { sessionId, rewindId }))

export const editQueued = (sessionId: string, queuedId: string, text: string) =>
  attempt(call('queue.edit', { sessionId, queuedId, text }))
export const removeQueued = (sessionId: string, queuedId: string) =>
  attempt(call('queue.remove', { sessionId, queuedId }))
export const steerQueued = (sessionId: string, queuedId: string) =>
  attempt(call('queue.steer', { sessionId, queuedId }))

/** Rejects when main refuses, so that the card can stay open and say so. */
export const answerQuestion = (questionId: string, answer: Answer) => call('question.answer', { questionId, answer })

// ── Small things ───────────────────────────────────────────────────────────────────────────────────────────────────

export const openTerminalOfMyOwn = (sessionId: string) =>
  attempt(call('process.open', { sessionId }).then(focusProcess))

export const setTheme = (theme: Theme) => attempt(call('settings.update', { theme }))

export function copyText(text: string, what = 'Copied'): void {
  attempt(call('app.copy', { text }).then(() => announce(what)))
}

export function openLink(url: string): void {
  attempt(
    call('app.openLink', { url }).then((opened) => {
      if (!opened) toast({ kind: 'error', text: 'Only web links can be opened.' })
    }),
  )
}

/** The composer marks its text area with this attribute, so that any part of the window can hand the keyboard back. */
export function focusComposer(): void {
  setState({ page: 'chat' })
  requestAnimationFrame(() => document.querySelector<HTMLTextAreaElement>('[data-composer]')?.focus())
}

export function toast(entry: Omit<Toast, 'id'>): void {
  lastToast += 1
  const id = lastToast
  setState((state) => ({ toasts: [...state.toasts.slice(-3), { ...entry, id }] }))
}

export const dismissToast = (id: number) =>
  setState((state) => ({ toasts: state.toasts.filter((entry) => entry.id !== id) }))

/** Waits for something whose failure the user should hear about; never rejects. */
export function attempt(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    (error: Error) => toast({ kind: 'error', text: error.message }),
  )
}
