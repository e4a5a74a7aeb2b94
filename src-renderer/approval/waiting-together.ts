import type { Question } from '../../src-preload/contract/approval'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { OpenQuestion } from '../state/main-state'

/** The questions of one message that wait at the same time. */
export interface Together {
  /** Those that can be allowed together. */
  plain: Question[]
  /** Those that have to be answered on their own cards: they need a typed word, or an answer in words. */
  alone: Question[]
}

/** `null` if fewer than two can be allowed together, or if the bar belongs to another card of the message. */
export function waitingTogether(
  open: readonly OpenQuestion[],
  { messageId, id }: Pick<ToolCall, 'messageId' | 'id'>,
  beside: 'first' | 'last',
): Together | null {
  const waiting = open.filter(({ call }) => call.messageId === messageId)
  if (waiting.length < 2 || waiting.at(beside === 'first' ? 0 : -1)?.call.id !== id) return null
  const questions = waiting.map(({ question }) => question)
  const plain = questions.filter(isPlain)
  return plain.length < 2 ? null : { plain, alone: questions.filter((each) => !isPlain(each)) }
}

const isPlain = ({ typedWord, kind }: Question): boolean =>
  typedWord === undefined && kind !== 'ask-user' && kind !== 'loop'

/** Why some are left out; empty if none are. */
export function aloneWords({ alone }: Together): string {
  const [only] = alone
  if (!only) return ''
  const word = alone.filter(({ typedWord }) => typedWord !== undefined).length
  if (word === alone.length)
    return word === 1
      ? 'One more needs a typed word. Answer it on its own card.'
      : `${word} more need a typed word. Answer them on their own cards.`
  return alone.length === 1
    ? 'One more has to be answered on its own card.'
    : `${alone.length} more have to be answered on their own cards.`
}
