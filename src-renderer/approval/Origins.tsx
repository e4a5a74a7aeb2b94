import './origins.css'
import { Quote } from 'lucide-react'
import type { WordOrigin } from '../../src-preload/contract/approval'
import { showCall } from '../state/navigate'
import { Revealed } from './CommandText'
import { marked, placeWords } from './origin-words'

/** Words of the call that the user did not write, each with the line the agent read it in. */
export function Origins({ origins }: { origins: WordOrigin[] }) {
  return (
    <ul className="ui-column approval-origins" aria-label="Where it comes from">
      {origins.map((origin) => (
        <li key={`${placeWords(origin)} ${origin.line}`} className="approval-origin">
          <Quote size={14} aria-hidden />
          <div>
            <p>
              {origin.words.map((word, index) => (
                <span key={word}>
                  {index > 0 && (index === origin.words.length - 1 ? ' and ' : ', ')}
                  <code className="approval-code">
                    <Revealed text={word} />
                  </code>
                </span>
              ))}
              {origin.words.length === 1
                ? ' is not in your messages. It appears in '
                : ' are not in your messages. They appear in '}
              <PlaceLink origin={origin} />:
            </p>
            <blockquote>
              {marked(origin.line, origin.words).map((piece, index) =>
                index === 1 ? (
                  <mark key="word">
                    <Revealed text={piece} />
                  </mark>
                ) : (
                  <Revealed key={index === 0 ? 'before' : 'after'} text={piece} />
                ),
              )}
            </blockquote>
          </div>
        </li>
      ))}
    </ul>
  )
}

function PlaceLink({ origin }: { origin: WordOrigin }) {
  const { callId } = origin
  const words = placeWords(origin)
  if (callId === undefined) return <Revealed text={words} />
  return (
    <button
      type="button"
      className="ui-link approval-place"
      title="Show it in the chat"
      onClick={() => showCall(callId)}
    >
      <Revealed text={words} />
    </button>
  )
}
