import type { Question } from '../../src-preload/contract/approval'
import { deceptive } from './reveal'

export const isDangerous = (question: Question) =>
  question.typedWord !== undefined || (question.subCommands?.some((part) => part.danger) ?? false)

/** Whether the required word was typed; true if none is required. */
export const isUnlocked = (word: string | undefined, typed: string) =>
  word === undefined || typed.trim().toLowerCase() === word.toLowerCase()

/** A warning about characters that a reader would miss; empty if there are none. */
export function deceptionWarning(question: Question): string {
  const count = deceptive(question.command ?? '')
  if (count === 0) return ''
  return count === 1
    ? 'Contains one character that is invisible or not what it looks like. It is marked.'
    : `Contains ${count.toLocaleString('en')} characters that are invisible or not what they look like. They are marked.`
}
