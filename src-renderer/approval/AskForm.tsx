import './ask-form.css'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Question } from '../../src-preload/contract/approval'
import { formErrors, type QuestionForm } from '../../src-preload/contract/form'
import { Button } from '../ui'
import { AskField } from './AskField'
import { Facts } from './Facts'
import { startDraft, valuesOf } from './form-draft'
import { NotAccepted } from './NotAccepted'
import { useAnswer } from './use-answer'
import { useGuard } from './use-guard'

interface AskFormProps {
  question: Question
  form: QuestionForm
  onAnswered: () => void
}

/** A question of a program as a form. It can be sent, refused, or dismissed. */
export function AskForm({ question, form, onAnswered }: AskFormProps) {
  const { busy, error, answer } = useAnswer(question, onAnswered)
  const meant = useGuard()
  const [draft, setDraft] = useState(() => startDraft(form))
  const [tries, setTries] = useState(0)
  const fields = useRef<HTMLDivElement>(null)
  const values = valuesOf(form, draft)
  const errors = tries > 0 ? formErrors(form, values) : {}

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!meant(event.nativeEvent)) return
    setTries(tries + 1)
    if (Object.keys(formErrors(form, values)).length === 0) answer({ decision: 'reply', text: JSON.stringify(values) })
  }

  // The field with the error may be out of view.
  useEffect(() => {
    if (tries === 0) return
    fields.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' })
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])

  return (
    <form className="approval-ask" aria-busy={busy} onSubmit={submit} noValidate>
      <Facts question={question} />
      <div className="ask-form" ref={fields}>
        {form.fields.map((field) => (
          <AskField
            key={field.name}
            field={field}
            value={draft[field.name] ?? ''}
            error={errors[field.name]}
            onChange={(value) => setDraft({ ...draft, [field.name]: value })}
          />
        ))}
      </div>
      <div className="ask-form-foot">
        <Button kind="primary" type="submit" disabled={busy}>
          Send to {form.asker}
        </Button>
        <Button disabled={busy} onClick={(event) => meant(event) && answer({ decision: 'deny' })}>
          Decline
        </Button>
        <Button
          kind="quiet"
          disabled={busy}
          onClick={(event) => meant(event) && answer({ decision: 'deny', unanswered: true })}
        >
          Cancel
        </Button>
      </div>
      <NotAccepted error={error} />
    </form>
  )
}
