import { retry } from '../state/message-actions'
import { isBusy } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'

/** Shown for a message that was stopped before there was any answer, which would otherwise look overlooked. */
export function StoppedLine({ sessionId }: { sessionId: string }) {
  const unanswered = useDeckhand(
    (state) =>
      state.lastStop[sessionId] === 'stopped' &&
      !isBusy(state.sessions[sessionId]) &&
      state.transcripts[sessionId]?.messages.at(-1)?.role === 'user',
  )
  if (!unanswered) return null
  return (
    <p className="ui-row composer-line">
      <span className="ui-cut composer-line-text">Stopped before an answer arrived.</span>
      <Button kind="quiet" onClick={() => retry(sessionId)}>
        Try again
      </Button>
    </p>
  )
}
