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
  /** An answer is on its way or was taken; nothing more can be said. */
  busy: boolean
  /** Why main refused the last answer; the question is still open then. */
  error: string
  answer: (answer: Answer) => void
}

/** Answers a question once. The card goes when main says so; a refusal opens it again. */
export function useAnswer(question: Question, onAnswered: () => void): Answering {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  // State changes only with the next render, and two clicks may come before it.
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
