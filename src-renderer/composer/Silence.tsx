import { duration } from '../state/format'
import { useDeckhand } from '../state/store'
import { useNow } from '../ui'

/** A pause is worth a warning only when the wait is almost over; before that, models simply take their time. */
const warnBelowSeconds = 20
/** Shorter turns would only make the line flash. */
const shownAfterMs = 2000

/**
 * Shows that the agent is working and for how long, and, when its model has been silent for long, how much time is
 * left.
 */
export function Silence({ sessionId }: { sessionId: string }) {
  const silence = useDeckhand((state) => state.silences[sessionId])
  if (!silence) return <Working sessionId={sessionId} />
  if (silence.phase === 'storage') return <p className="composer-silence">{silence.reason}</p>
  const seconds = Math.max(0, Math.ceil(silence.secondsLeft))
  if (silence.phase === 'retry')
    return (
      <p className="composer-silence">
        {silence.reason && (
          <span className="ui-cut composer-line-text" title={silence.reason}>
            {silence.reason}
          </span>
        )}
        <span className="composer-silence-left">
          Trying again in {seconds} s (attempt {silence.attempt})
        </span>
      </p>
    )
  if (seconds > warnBelowSeconds) return <Working sessionId={sessionId} />
  return (
    <p className="composer-silence">
      {silence.phase === 'first-byte' ? 'No answer yet' : 'The answer has paused'}. Will stop waiting in {seconds} s
    </p>
  )
}

/** How long the turn has been running: since the last message that the user sent. */
function Working({ sessionId }: { sessionId: string }) {
  const since = useDeckhand((state) =>
    state.sessions[sessionId]?.status === 'running'
      ? (state.transcripts[sessionId]?.messages.findLast(({ role }) => role === 'user')?.createdAt ?? null)
      : null,
  )
  const now = useNow(since === null ? null : 1000)
  if (since === null || now - since < shownAfterMs) return null
  return (
    <p className="composer-silence composer-working" role="status" aria-live="off">
      Working… {duration(Math.floor((now - since) / 1000) * 1000).replace('.0', '')}
    </p>
  )
}
