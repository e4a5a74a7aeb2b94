import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { QuestionDraft } from '../tools/question'
import { type ToolContext, ToolFailure } from '../tools/tool'
import type { Questions } from './questions'

const plain = { kind: 'ask-user' as const, node: 'local', offers: [], editable: false }

/** Questions that a tool puts to the user while it runs: those of the model, and forms of MCP servers. */
export function toolQuestions(
  questions: Questions,
  call: ToolCall,
  signal: AbortSignal,
): Required<Pick<ToolContext, 'askUser' | 'askForm'>> {
  return {
    askUser: async (question, choices) => {
      const draft: QuestionDraft = { ...plain, title: question, reason: 'The model asks you', choices }
      const answer = await questions.ask(call, draft, signal, null)
      if (answer.decision === 'reply') return answer.text
      const note = answer.decision === 'deny' && answer.note ? ` They say: ${answer.note}` : ''
      throw new ToolFailure('PermissionDenied', `The user does not want to answer this.${note}`)
    },
    askForm: async (title, form, withdrawn) => {
      const reason = `The MCP server ${form.asker} asks for this and receives your answers. Never enter a password or a key.`
      const draft: QuestionDraft = { ...plain, title, form, reason }
      const answer = await questions.ask(call, draft, AbortSignal.any([signal, withdrawn]), null)
      if (answer.decision === 'reply') return JSON.parse(answer.text)
      return answer.decision === 'deny' && answer.unanswered ? null : false
    },
  }
}
