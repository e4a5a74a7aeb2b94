import type { Answer, Question } from '../../src-preload/contract/approval'
import type { Engine } from '../engine'
import { promptForm } from './form-prompt'
import { askOnTerminal } from './terminal-question'

/** Answers what a turn asks: on the terminal, one question after the other, so that no key counts for two of them. */
export function answerOnTerminal(engine: Engine, interrupt: () => void): (question: Question) => void {
  let before = Promise.resolve()
  const settle = async (question: Question): Promise<void> => {
    const isOpen = (): boolean => engine.runner.questions().some((open) => open.question.id === question.id)
    if (!isOpen()) return
    const answer = await askAbout(question, interrupt)
    // Ctrl-C has ended the turn, and its question with it.
    if (isOpen()) engine.runner.answer(question.id, answer)
  }
  return (question) => {
    before = before
      .then(() => settle(question))
      .catch((error: unknown) => engine.log.error('A question could not be answered', { error }))
  }
}

async function askAbout(question: Question, interrupt: () => void): Promise<Answer> {
  if (question.form) return promptForm(question.title, question.form, (line) => askOnTerminal(line, interrupt))
  if (question.kind === 'ask-user') {
    const text = await askOnTerminal(`${question.title}\n> `, interrupt)
    return text === null ? { decision: 'deny' } : { decision: 'reply', text }
  }
  process.stderr.write(`\n${question.reason}\n`)
  const what = question.typedWord ? `type "${question.typedWord}" to allow` : 'y/N'
  const wish = question.kind === 'loop' ? question.title : `Run: ${question.command ?? question.title}`
  const said = await askOnTerminal(`${wish} [${what}] `, interrupt)
  const typed = said?.toLowerCase() ?? ''
  const allowed = question.typedWord ? typed === question.typedWord.toLowerCase() : typed === 'y' || typed === 'yes'
  return allowed ? { decision: 'allow', scope: 'once', typed } : { decision: 'deny' }
}

/**
 * Where there is no terminal the gate has refused what would ask, and what is left to settle is a turn that repeats
 * itself: it goes on only where everything was allowed from the start.
 */
export const answerAlone =
  ({ store, runner }: Engine) =>
  ({ id, kind, sessionId }: Question): void => {
    const goesOn = kind === 'loop' && store.sessions.get(sessionId).mode === 'all'
    runner.answer(id, goesOn ? { decision: 'allow', scope: 'once' } : { decision: 'deny' })
  }
