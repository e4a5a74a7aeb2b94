import type { ElicitRequestParams } from '@modelcontextprotocol/client'
import type { FormValues, QuestionForm } from '../../src-preload/contract/form'
import type { CallWatch } from './call-watch'
import { formFrom } from './elicitation'

/** `decline`: the user says no. `cancel`: they say nothing. */
export type FormAnswer = { action: 'accept'; content: FormValues } | { action: 'decline' | 'cancel' }

/** Puts a question of a server's to the user. */
export type AskUser = (title: string, form: QuestionForm, signal: AbortSignal) => Promise<FormAnswer>

type Put = (params: ElicitRequestParams, withdrawn: AbortSignal) => Promise<FormAnswer>

/** What a server may ask the user, and when: during a call, by a form. */
export function createServerQuestions(server: string, log: (words: string) => void) {
  /** One for each call under way, the latest last. */
  const calls = new Set<Put>()

  return {
    /** Nothing in the protocol says which call a question belongs to; the latest is the likely one. */
    answer: async (params: ElicitRequestParams, withdrawn: AbortSignal): Promise<FormAnswer> => {
      const put = [...calls].at(-1)
      if (put) return put(params, withdrawn)
      log('It wanted to ask you something while the agent wanted nothing of it, so you were not asked')
      return { action: 'cancel' }
    },
    /** Takes questions for a call. Without `ask` nobody is there. What comes back ends it. */
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
