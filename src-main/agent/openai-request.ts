import type { Content } from '../../src-preload/contract/content'
import type { ModelMessage, ModelRequest } from './model'
import { cleanText, hasImage, joinText, wireArguments, wireName, withResultsInOrder } from './wire'

/** What a server has turned out not to understand. */
export interface Quirks {
  limit: 'max_tokens' | 'max_completion_tokens' | 'none'
  usage: boolean
  thinking: boolean
}

export const openaiBody = (request: ModelRequest, quirks: Quirks) => ({
  model: request.model,
  messages: [
    ...(request.system ? [{ role: 'system', content: cleanText(request.system) }] : []),
    ...openaiMessages(request.messages),
  ],
  ...(request.tools.length > 0 && {
    tools: request.tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  }),
  stream: true,
  ...(quirks.usage && { stream_options: { include_usage: true } }),
  ...(quirks.limit !== 'none' && { [quirks.limit]: request.maxOutputTokens }),
  ...(request.thinking && quirks.thinking && { reasoning_effort: request.thinking }),
})

const openaiMessages = (messages: ModelMessage[]): object[] => {
  const wire: object[] = []
  // A tool's answer may hold text only, so its images follow in a message of their own, after the last of the results.
  let images: Content[] = []
  const flushImages = () => {
    if (images.length > 0) wire.push({ role: 'user', content: openaiContent(images) })
    images = []
  }
  for (const message of withResultsInOrder(messages)) {
    if (message.role === 'tool') {
      wire.push({ role: 'tool', tool_call_id: message.callId, content: toolText(message.content) })
      if (!hasImage(message.content)) continue
      images.push({ type: 'text', text: `Images from the result of ${message.name}:` })
      images.push(...message.content.filter((part) => part.type === 'image'))
      continue
    }
    flushImages()
    if (message.role === 'user') wire.push({ role: 'user', content: openaiContent(message.content) })
    else
      wire.push({
        role: 'assistant',
        content: message.text === '' ? null : cleanText(message.text),
        ...(message.calls.length > 0 && {
          tool_calls: message.calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: wireName(call.name), arguments: JSON.stringify(wireArguments(call)) },
          })),
        }),
      })
  }
  flushImages()
  return wire
}

const toolText = (content: Content[]) =>
  joinText(content) || (hasImage(content) ? '(an image; it follows)' : '(no output)')

/** Plain text stays a string: small local servers know nothing else. */
const openaiContent = (content: Content[]) =>
  hasImage(content)
    ? content
        .filter((part) => part.type === 'image' || part.text !== '')
        .map((part) =>
          part.type === 'text'
            ? { type: 'text', text: cleanText(part.text) }
            : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
        )
    : joinText(content)
