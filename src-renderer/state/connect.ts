import type { StartNote } from '../../src-preload/contract/core-calls'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { call } from './bridge'
import type { MainState } from './main-state'
import { addToDraft } from './message-actions'
import { focusProcess, focusQuestion, selectSession } from './navigate'
import { newSession } from './session-actions'
import { sortedSessions, waitingProcesses } from './sessions'
import { applyEvents, connectionFailed, connectionWaits, getState, greetWith, setState } from './store'
import { attempt, toast } from './toasts'

/** Connects the window with main, and handles the events that make the window do something. */

/** Events that arrived before main has answered. */
const early: DeckhandEvent[] = []
let greeted = false

/** Listens first and then calls `hello`, so that nothing is missed in between. Resolves when main has answered. */
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
  const before = getState().questions
  applyEvents(events)
  for (const event of events) {
    if (event.type === 'call') uncover(event.call, before)
    if (event.type === 'open-session') followNotification(event.sessionId)
    if (event.type === 'compose') addToDraft(event.text)
    if (event.type === 'note') toast({ kind: 'info', text: event.text })
    if (event.type === 'notify') tellOfMessage(event)
  }
}

/** Asks main for everything: at startup, after a failed startup, and when all of it may have changed. */
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
      for (const note of hello.notes) tellOfStart(note)
    },
    (error: Error) => connectionFailed(error.message),
  )
}

/**
 * In a narrow window the deck covers the chat. It closes for a new question, unless the user is typing into one of its
 * terminals; then the deck shows that a question waits.
 */
function uncover({ state }: ToolCall, before: MainState['questions']): void {
  if (state.status !== 'awaiting' || before[state.question.id]) return
  const { selectedId, drawerOpen } = getState()
  const isHere = selectedId !== null && state.question.ancestry.includes(selectedId)
  if (drawerOpen && isHere && !document.activeElement?.closest('.layout-drawer .xterm')) setState({ drawerOpen: false })
}

function followNotification(sessionId: string): void {
  const waiting = Object.values(getState().questions).find((open) => open.question.sessionId === sessionId)
  const program = waitingProcesses(getState()).find((process) => process.sessionId === sessionId)
  if (waiting) focusQuestion(waiting.question.id)
  else if (program) focusProcess(program.id)
  else if (getState().sessions[sessionId]) selectSession(sessionId)
}

/** A notice about this start; one about a crash can be reported, and stays until it is dismissed. */
function tellOfStart({ text, crash }: StartNote): void {
  const report = () => attempt(call('app.reportProblem', {}))
  toast({ kind: 'info', text, ...(crash && { stays: true, action: { label: 'Report a problem', run: report } }) })
}

/** A notice about a message in a session that is not shown. */
function tellOfMessage({ sessionId, title, text }: Extract<DeckhandEvent, { type: 'notify' }>): void {
  const { page, selectedId } = getState()
  if (page === 'chat' && selectedId === sessionId) return
  const start = text.length > 160 ? `${text.slice(0, 160)}…` : text
  toast({ kind: 'info', text: `${title}: ${start}`, action: { label: 'Open', run: () => selectSession(sessionId) } })
}
