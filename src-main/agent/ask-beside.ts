import type { Model, ModelRequest } from './model'
import { unreportedUsage } from './unreported'
import type { TokenUsage } from './usage'

interface BesideAnswer {
  text: string
  /** It came to its end. */
  ended: boolean
  /** Null if nothing was used. */
  usage: TokenUsage | null
}

/** One request beside a conversation, for a summary or a title: it is tried once, and only its text counts. */
export const askBeside = async (
  model: Model,
  request: ModelRequest,
  isOver: () => boolean = () => false,
): Promise<BesideAnswer> => {
  const answer: BesideAnswer = { text: '', ended: false, usage: null }
  let begun = false
  let thoughts = ''
  for await (const event of model.stream(request)) {
    begun ||= event.type !== 'error'
    if (event.type === 'text') answer.text += event.text
    if (event.type === 'reasoning') thoughts += event.text
    if (event.type === 'was-thought') {
      answer.text = ''
      thoughts = event.text
    }
    if (event.type === 'usage') {
      const { type: _, ...usage } = event
      answer.usage = usage
    }
    if (event.type === 'end') answer.ended = true
    if (request.signal.aborted || isOver()) break
  }
  if (begun) answer.usage ??= unreportedUsage(model, request, [answer.text, thoughts])
  return answer
}
