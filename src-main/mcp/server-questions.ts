import type { ElicitRequestParams } from '@modelcontextprotocol/client'
import type { FormValues, QuestionForm } from '../../src-preload/contract/form'
import type { CallWatch } from './call-watch'
import { formFrom } from './elicitation'

/** `decline`: the user says no. `cancel`: they do not answer. */
export type FormAnswer = { action: 'accept'; content: FormValues } | { action: 'decline' | 'cancel' }

/** Shows the user a question from a server. */
export type AskUser = (title: string, form: QuestionForm, signal: AbortSignal) => Promise<FormAnswer>

type Put = (params: ElicitRequestParams, withdrawn: AbortSignal) => Promise<FormAnswer>

/** Lets a server ask the user questions, by a form and only during a call. */
export function createServerQuestions(server: string, log: (words: string) => void) {
  /** One for each running call, the latest last. */
  const calls = new Set<Put>()

  return {
    /** The protocol does not say which call a question belongs to; the latest is the most likely. */
    answer: async (params: ElicitRequestParams, withdrawn: AbortSignal): Promise<FormAnswer> => {
      const put = [...calls].at(-1)
      if (put) return put(params, withdrawn)
      log('It wanted to ask you something while the agent wanted nothing of it, so you were not asked')
      return { action: 'cancel' }
    },
    /**
     * Accepts questions during a call. Without `ask` nobody can answer. Call the returned function at the end of the
     * call.
     */
    during(watch: CallWatch, ask: AskUser | undefined): () => void {
      const put: Put = async (params, withdrawn) => {
        if (!ask || params.mode === 'url') {
          log('It wanted to ask you something, and there was nobody or no way to')
          return { action: 'cancel' }
        }
        const question = formFrom(server, params)
        if (typeof question !== 'string')
          return watch.asking((signal) => ask(question.title, question.form, signal), withdrawn)
        log(question)
        return { action: 'decline' }
      }
      calls.add(put)
      return () => void calls.delete(put)
    },
  }
}
