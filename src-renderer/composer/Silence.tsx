import { useDeckhand } from '../state/store'

/** A stream that says nothing is worth a word before it is given up. */
export function Silence({ sessionId }: { sessionId: string }) {
  const silence = useDeckhand((state) => state.silences[sessionId])
  if (!silence) return null
  if (silence.phase === 'storage') return <p className="composer-silence">{silence.reason}</p>
  const seconds = Math.max(0, Math.ceil(silence.secondsLeft))
  if (silence.phase === 'retry')
    return (
      <p className="composer-silence">
        {silence.reason && (
          <span className="composer-line-text" title={silence.reason}>
            {silence.reason}
          </span>
        )}
        <span className="composer-silence-left">
          Trying again in {seconds} s (attempt {silence.attempt})
        </span>
      </p>
    )
  return (
    <p className="composer-silence">
      {silence.phase === 'first-byte' ? 'No answer yet' : 'The answer has paused'}, giving up in {seconds} s
    </p>
  )
}
