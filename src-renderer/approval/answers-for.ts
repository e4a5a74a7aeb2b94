import type { Answer, Question, RuleOffer } from '../../src-preload/contract/approval'
import { hasPile } from '../state/marks'

/** The possible answers to a waiting call. */
export interface Answers {
  /** Whether the question is about continuing, and not about something that would run. */
  loop: boolean
  editable: boolean
  /** An answer wider than once and narrower than always, given by one button. */
  wider: { answer: Answer; label: string; offer: RuleOffer } | null
  /** What *Always* offers; empty if no rule may be saved. */
  rules: RuleOffer[]
}

export function answersFor(question: Question): Answers {
  const loop = question.kind === 'loop'
  // A call that needs a typed word is asked about every time.
  const lasting = !loop && question.typedWord === undefined
  // Main only accepts rules that it offered, and offers none for a command that cannot be described.
  const offers = lasting ? question.offers : []
  // Input to a program can be allowed for that program, but not more widely.
  const forProcess = offers.some((offer) => offer.scope === 'process')
  return {
    loop,
    // A text that the window cannot draw cannot be edited in it either.
    editable: question.editable && !hasPile(question.command ?? ''),
    wider: widerAnswer(offers),
    rules: forProcess ? [] : offers,
  }
}

function widerAnswer(offers: RuleOffer[]): Answers['wider'] {
  const session = offers.find((offer) => offer.scope === 'session')
  if (session)
    return { answer: { decision: 'allow', scope: 'session' }, label: 'Allow for this session', offer: session }
  const process = offers.find((offer) => offer.scope === 'process')
  if (!process) return null
  const answer: Answer = { decision: 'allow', scope: 'rule', offer: process.index }
  return { answer, label: 'Allow until it exits', offer: process }
}
