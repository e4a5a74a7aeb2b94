import { ListTodo } from 'lucide-react'
import { retry } from '../state/actions'
import { isBusy } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'

/** What the agent is at, out of what it set out to do. */
export function TodoLine({ sessionId }: { sessionId: string }) {
  const items = useDeckhand((state) => state.todos[sessionId])
  const busy = useDeckhand((state) => isBusy(state.sessions[sessionId]))
  if (!busy || !items?.length) return null
  const done = items.filter((item) => item.status === 'done').length
  const current = items.find((item) => item.status === 'active') ?? items.find((item) => item.status === 'pending')
  if (!current) return null
  return (
    <p className="composer-line" title={items.map((item) => item.text).join('\n')}>
      <ListTodo size={13} aria-hidden />
      <span>
        {done} of {items.length}
      </span>
      <span className="composer-line-text">{current.text}</span>
    </p>
  )
}

/** A message that was stopped before anything came of it would look as if it had been overlooked. */
export function StoppedLine({ sessionId }: { sessionId: string }) {
  const unanswered = useDeckhand(
    (state) =>
      state.lastStop[sessionId] === 'stopped' &&
      !isBusy(state.sessions[sessionId]) &&
      state.transcripts[sessionId]?.messages.at(-1)?.role === 'user',
  )
  if (!unanswered) return null
  return (
    <p className="composer-line">
      <span className="composer-line-text">Stopped before an answer arrived.</span>
      <Button kind="quiet" onClick={() => retry(sessionId)}>
        Try again
      </Button>
    </p>
  )
}
