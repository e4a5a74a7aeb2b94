import { useRef, useState } from 'react'
import type { Answer, Question } from '../../src-preload/contract/approval'
import { answerQuestion } from '../state/message-actions'
import { announce } from '../state/toasts'

const said = {
  deny: 'Denied',
  reply: 'Answered',
  apply: 'Applied',
  allow: 'Allowed',
  'allow-edited': 'Allowed',
  'approve-plan': 'Plan approved',
} as const

interface Answering {
  /** An answer was sent or accepted; no other can be given. */
  busy: boolean
  /** Why main refused the last answer; the question is then still open. */
  error: string
  answer: (answer: Answer) => void
}

/** Answers a question once. The card disappears when main says so; after a refusal it can be answered again. */
export function useAnswer(question: Question, onAnswered: () => void): Answering {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  // State changes only with the next render, and a second click may come before it.
  const taken = useRef(false)

  const answer = (answer: Answer) => {
    if (taken.current) return
    taken.current = true
    setBusy(true)
    setError('')
    answerQuestion(question.id, answer).then(
      () => {
        announce(said[answer.decision])
        onAnswered()
      },
      (reason: Error) => {
        taken.current = false
        setBusy(false)
        setError(reason.message)
      },
    )
  }
  return { busy, error, answer }
}
