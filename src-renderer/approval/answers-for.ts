import type { Answer, Question, RuleOffer } from '../../src-preload/contract/approval'
import { hasPile } from '../state/marks'

/** What may be answered to a call that waits. */
export interface Answers {
  /** The question is whether to go on, not whether something may run. */
  loop: boolean
  editable: boolean
  /** More than once and less than always, in one press. */
  wider: { answer: Answer; label: string; offer: RuleOffer } | null
  /** What *Always* offers; empty where nothing lasting may be said. */
  rules: RuleOffer[]
}

export function answersFor(question: Question): Answers {
  const loop = question.kind === 'loop'
  // What needs a typed word is asked for every time.
  const lasting = !loop && question.typedWord === undefined
  // Main takes only what was offered: nothing lasting for a command that cannot be described.
  const offers = lasting ? question.offers : []
  // What is typed into a program is allowed for that program, and for nothing wider.
  const forProcess = offers.some((offer) => offer.scope === 'process')
  return {
    loop,
    // What the window cannot draw cannot be edited in it either.
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
