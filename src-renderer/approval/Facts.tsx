import type { Question } from '../../src-preload/contract/approval'
import { useDeckhand } from '../state/store'
import { shortPath } from '../terminal/words'
import { Revealed } from './CommandText'
import { Sentence } from './Sentence'

interface FactsProps {
  question: Question
  /** Whether the card already shows the reason elsewhere. */
  reasonGiven?: boolean
}

/** Where it would run, what it would touch, who asks for it, and why it was not allowed automatically. */
export function Facts({ question, reasonGiven = false }: FactsProps) {
  const asker = useDeckhand((state) =>
    question.ancestry
      .map((id) => state.sessions[id]?.title || id)
      .filter((title, index, titles) => title !== titles[index - 1])
      .join(', for '),
  )
  const told = new Set([
    ...(question.diff ?? []).map(({ path }) => path),
    ...(question.subCommands ?? []).map(({ text }) => text),
  ])
  const listed = (question.resources ?? []).filter((path) => !told.has(path))
  return (
    <dl className="ui-column approval-facts">
      {question.cwd && (
        <div>
          <dt>Folder</dt>
          <dd>
            <code title={question.cwd}>
              <Revealed text={shortPath(question.cwd)} />
            </code>
          </dd>
        </div>
      )}
      {question.node !== 'local' && (
        <div>
          <dt>Runs on</dt>
          <dd>{question.node}</dd>
        </div>
      )}
      {listed.length > 0 && (
        <div>
          <dt>Touches</dt>
          <dd>
            {listed.map((path) => (
              <code key={path} className="approval-resource">
                <Revealed text={path} />
              </code>
            ))}
          </dd>
        </div>
      )}
      {question.ancestry.length > 1 && (
        <div>
          <dt>Asked by</dt>
          <dd>{asker}</dd>
        </div>
      )}
      {question.reason && !reasonGiven && (
        <div>
          <dt>Why it asks</dt>
          <dd>
            <Sentence text={question.reason} />
          </dd>
        </div>
      )}
    </dl>
  )
}
