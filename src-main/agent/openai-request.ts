import type { Content } from '../../src-preload/contract/content'
import type { Lesson } from './lessons'
import { itemsFrom, type ModelMessage, type ModelRequest } from './model'
import { cleanText, hasImage, joinText, wireArguments, wireName, withResultsInOrder } from './wire'

/** What a server wants back with the results of its calls; the names are those that it used itself. */
export interface ChatExtras {
  reasoning_content?: string
  reasoning_details?: unknown[]
  /** `extra_content` of each call, in order. */
  calls?: unknown[]
}

/** Parameters that a server may refuse, and that the request then does without. */
export const chatParameters = [
  'stream_options',
  'reasoning_effort',
  'max_completion_tokens',
  'max_tokens',
  'reasoning_content',
  'reasoning_details',
  'extra_content',
] as const

/** For answers without thoughts, where a server wants some: an empty text counts as none with DeepSeek. */
const noThoughts = ' '

const limitName = ({ limit }: Lesson) => limit ?? 'max_tokens'

/** The limit on the answer that is sent; 0 for none. */
export const longestAnswer = ({ maxOutputTokens }: ModelRequest, lesson: Lesson): number =>
  lesson.refused?.includes(limitName(lesson)) ? 0 : Math.min(maxOutputTokens, lesson.maxTokens ?? maxOutputTokens)

/** The body of a request for chat completions. `source` names who it goes to, and whose own words go back. */
export const openaiBody = (request: ModelRequest, lesson: Lesson, source: string) => {
  const { refused = [], effortNone, wantsThoughts } = lesson
  const takes = (name: (typeof chatParameters)[number]) => !refused.includes(name)
  const longest = longestAnswer(request, lesson)
  const effort = effortNone ? 'none' : takes('reasoning_effort') ? request.effort : undefined
  return {
    model: request.model,
    // What comes first stays the same from request to request, and what grows comes last: the order that caches go by.
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
    stream: true,
    ...(takes('stream_options') && { stream_options: { include_usage: true } }),
    ...(longest > 0 && { [limitName(lesson)]: longest }),
    reasoning_effort: effort,
    messages: [
      ...(request.system ? [{ role: 'system', content: cleanText(request.system) }] : []),
      ...openaiMessages(request.messages, (message) => ({
        ...(wantsThoughts && { reasoning_content: noThoughts }),
        ...extrasFor(message, source, takes),
      })),
    ],
  }
}

const extrasFor = (
  message: ModelMessage,
  source: string,
  takes: (name: 'reasoning_content' | 'reasoning_details' | 'extra_content') => boolean,
): ChatExtras => {
  const { reasoning_content, reasoning_details, calls } = (itemsFrom(message, source)?.[0] ?? {}) as ChatExtras
  return {
    ...(reasoning_content && takes('reasoning_content') && { reasoning_content }),
    ...(reasoning_details && takes('reasoning_details') && { reasoning_details }),
    ...(calls && takes('extra_content') && { calls }),
  }
}

const openaiMessages = (messages: ModelMessage[], extrasOf: (message: ModelMessage) => ChatExtras): object[] => {
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
      images.push(...imagesOf(message))
      continue
    }
    flushImages()
    if (message.role === 'user') {
      wire.push({ role: 'user', content: openaiContent(message.content) })
      continue
    }
    const { calls: extra, ...extras } = extrasOf(message)
    wire.push({
      role: 'assistant',
      content: message.text === '' ? null : cleanText(message.text),
      ...extras,
      ...(message.calls.length > 0 && {
        tool_calls: message.calls.map((call, index) => ({
          id: call.id,
          type: 'function',
          function: { name: wireName(call.name), arguments: JSON.stringify(wireArguments(call)) },
          ...(extra?.[index] != null && { extra_content: extra[index] }),
        })),
      }),
    })
  }
  flushImages()
  return wire
}

/** The images of a result, with a word on where they come from. */
export const imagesOf = ({ name, content }: Extract<ModelMessage, { role: 'tool' }>): Content[] => [
  { type: 'text', text: `Images from the result of ${name}:` },
  ...content.filter((part) => part.type === 'image'),
]

export const toolText = (content: Content[]) =>
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
