import { type FormEvent, type RefObject, useState } from 'react'
import type { Question } from '../../src-preload/contract/approval'
import { Button } from '../ui'
import { Facts } from './Facts'
import { NotAccepted } from './NotAccepted'
import { useAnswer } from './use-answer'
import { isInText, useCardKeys } from './use-card-keys'
import { type UserEvent, useGuard } from './use-guard'

interface AskUserProps {
  card: RefObject<HTMLElement | null>
  question: Question
  onAnswered: () => void
}

/** A question of the model: the user picks one of its choices (by number) or types an answer. */
export function AskUser({ card, question, onAnswered }: AskUserProps) {
  const { busy, error, answer } = useAnswer(question, onAnswered)
  const meant = useGuard()
  const [text, setText] = useState('')
  const choices = question.choices ?? []

  const reply = (event: UserEvent, words: string) => {
    if (meant(event) && words.trim()) answer({ decision: 'reply', text: words })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    reply(event.nativeEvent, text.trim())
  }

  useCardKeys(card, (event) => {
    const choice = choices[Number(event.key) - 1]
    if (isInText(event) || event.ctrlKey || event.metaKey || event.altKey || choice === undefined) return
    event.preventDefault()
    reply(event, choice)
  })

  return (
    <div className="approval-ask" aria-busy={busy}>
      <Facts question={question} reasonGiven />
      {choices.length > 0 && (
        <div className="approval-choices">
          {choices.map((choice, index) => (
            <Button key={choice} disabled={busy} onClick={(event) => reply(event, choice)}>
              {index < 9 && (
                <span className="ui-kbd">
                  <kbd>{index + 1}</kbd>
                </span>
              )}
              {choice}
            </Button>
          ))}
        </div>
      )}
      <form className="approval-note" onSubmit={submit}>
        <input
          className="ui-input"
          aria-label="Your answer"
          placeholder={choices.length > 0 ? 'Or type your own answer' : 'Your answer'}
          value={text}
          disabled={busy}
          onChange={(event) => setText(event.target.value)}
        />
        <Button kind="primary" type="submit" disabled={busy || text.trim() === ''}>
          Answer
        </Button>
        <Button
          kind="quiet"
          disabled={busy}
          onClick={(event) => {
            if (meant(event)) answer({ decision: 'deny' })
          }}
        >
          Skip
        </Button>
      </form>
      <NotAccepted error={error} />
    </div>
  )
}
