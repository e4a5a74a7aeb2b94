import { app, type BrowserWindow, Notification } from 'electron'
import type { Question } from '../src-preload/contract/approval'
import type { DeckhandEvent } from '../src-preload/contract/events'
import { type ProcessInfo, waitsForInput } from '../src-preload/contract/processes'
import type { Engine } from './engine'
import { answersInPlace } from './leaving/answers-in-place'
import { notificationText } from './notification-text'

/**
 * Tells the user, outside the window, that something waits or is done: a count on the app's badge and in the title, and a
 * desktop notification that leads to the session.
 */
export function callAttention(window: BrowserWindow, engine: Promise<Engine>, focus: () => void): void {
  const announced = new Set<string>()
  let spoken = ''
  void engine.then((running) => {
    const asking = new Set(running.table.waiting().map(({ id }) => id))
    const count = () => showCount(window, running.runner.questions().length + asking.size)
    count()
    const stop = running.subscribe((event) => {
      if (event.type === 'notify') notify(event.sessionId, event.title, event.text)
      if (event.type === 'turn-end') tellEnd(event)
      if (event.type === 'process') tellInput(event.process)
      if (event.type !== 'call') return
      count()
      const question = awaiting(event)
      if (!question || announced.has(question.id)) return
      announced.add(question.id)
      // Several calls of one message ask at once: the first speaks for all.
      if (spoken === event.call.messageId) return
      spoken = event.call.messageId
      notify(question.sessionId, question.title, question.command ?? question.reason, question)
    })
    window.on('closed', stop)

    /** Rows come often, so nothing is done unless a program begins or ceases to wait. */
    function tellInput(process: ProcessInfo): void {
      const waits = waitsForInput(process)
      if (waits === asking.has(process.id)) return
      if (waits) asking.add(process.id)
      else asking.delete(process.id)
      count()
      // Of a hidden prompt the words may come a moment later.
      if (waits) notify(process.sessionId, 'A program needs your input', process.prompt?.text ?? process.title)
    }

    /** Only of ordinary chats: what runs by the clock or for another has its own ways to tell. */
    function tellEnd({ sessionId, reason, text, error }: Extract<DeckhandEvent, { type: 'turn-end' }>): void {
      const session = running.store.sessions.find(sessionId)
      if (session?.key !== '' || session.parentId !== null || reason === 'stopped') return
      notify(sessionId, session.title, error?.message ?? text)
    }

    function notify(sessionId: string, title: string, body: string, question?: Question): void {
      const looking = window.isDestroyed() || window.isFocused()
      if (looking || !running.settings.current().notifications || !Notification.isSupported()) return
      const answers = question ? answersInPlace(question) : []
      const notification = new Notification({
        title: notificationText(title),
        body: notificationText(body),
        // Where a desktop has no buttons for them, a click opens the session.
        actions: answers.map(({ label }) => ({ type: 'button' as const, text: label })),
      })
      notification.on('action', (_details, index) => {
        const chosen = answers[index]
        const waits = running.runner.questions().some((each) => each.question.id === question?.id)
        if (chosen && question && waits) running.runner.answer(question.id, chosen.answer)
      })
      notification.on('click', () => {
        focus()
        running.publish({ type: 'open-session', sessionId })
      })
      notification.show()
    }
  })
}

const awaiting = (event: Extract<DeckhandEvent, { type: 'call' }>): Question | undefined =>
  event.call.state.status === 'awaiting' ? event.call.state.question : undefined

function showCount(window: BrowserWindow, count: number): void {
  if (window.isDestroyed()) return
  app.setBadgeCount(count)
  window.setTitle(count > 0 ? `(${count}) Deckhand` : 'Deckhand')
}
