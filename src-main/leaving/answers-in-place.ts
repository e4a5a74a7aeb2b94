import type { Answer, Question } from '../../src-preload/contract/approval'

/** Longer than this, a desktop may show only a part of it. */
const longestShown = 160

interface AnswerInPlace {
  label: string
  answer: Answer
}

/**
 * The answers that a notification offers: only for a command that it shows whole, that needs no typed word and in which
 * nothing is dangerous. Everything else is answered in the window, where all of it can be read.
 */
export function answersInPlace({
  kind,
  command,
  typedWord,
  subCommands = [],
  form,
  choices,
}: Question): AnswerInPlace[] {
  if (kind !== 'command' || command === undefined || typedWord !== undefined || form || choices) return []
  if (command.length > longestShown || /[\p{Cc}\p{Cf}<>&]/u.test(command)) return []
  if (subCommands.some(({ danger }) => danger)) return []
  return [
    { label: 'Allow once', answer: { decision: 'allow', scope: 'once' } },
    { label: 'Deny', answer: { decision: 'deny' } },
  ]
}
