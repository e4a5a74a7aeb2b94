import type { Content } from '../../src-preload/contract/content'
import { isRecord } from '../is-record'
import { isOverflow, type Refusal } from './failure'
import { listOf, textOf } from './json'
import { type Lesson, refusedParameter } from './lessons'
import { itemsFrom, type ModelMessage, type ModelRequest, thinkingRoom } from './model'
import { imagesOf, toolText } from './openai-request'
import { cleanText, hasImage, joinText, wireArguments, wireName, withResultsInOrder } from './wire'

type Item = Record<string, unknown>

/** Parameters that a server may refuse, the more exact ones first. */
const parameters = [
  'reasoning.summary',
  'reasoning.effort',
  'reasoning.encrypted_content',
  'include',
  'max_output_tokens',
  'instructions',
  'store',
  'reasoning',
] as const

/** The body of a request of the Responses API. Nothing is kept at the server: what it needs goes with each request. */
export const responsesBody = (request: ModelRequest, { refused = [] }: Lesson, source: string) => {
  const takes = (name: (typeof parameters)[number]) => !refused.includes(name)
  const reasoning = {
    ...(takes('reasoning.summary') && { summary: 'auto' }),
    ...(request.effort && takes('reasoning.effort') && { effort: request.effort }),
  }
  const withImages = !refused.includes('output')
  const system = cleanText(request.system)
  return {
    model: request.model,
    // What comes first stays the same from request to request, and what grows comes last: the order that caches go by.
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters: schema }) => ({
        type: 'function',
        name,
        description,
        parameters: schema,
        strict: false,
      })),
    }),
    stream: true,
    ...(takes('store') && { store: false }),
    ...(takes('include') && takes('reasoning.encrypted_content') && { include: ['reasoning.encrypted_content'] }),
    ...(takes('max_output_tokens') && { max_output_tokens: request.maxOutputTokens + thinkingRoom }),
    ...(Object.keys(reasoning).length > 0 && takes('reasoning') && { reasoning }),
    ...(system && takes('instructions') && { instructions: system }),
    input: [
      ...(system && !takes('instructions') ? [{ role: 'system', content: system }] : []),
      ...inputItems(request.messages, source, withImages),
    ],
  }
}

/** What a refusal teaches; null when it is about something that cannot be left out. */
export const learnResponses = (refusal: Refusal, lesson: Lesson): Lesson | null => {
  if (refusal.status === 404 || isOverflow(refusal)) return null
  const { refused = [] } = lesson
  // Images in the result of a call, which not every server takes.
  const aboutOutput = /^input\[\d+\]\.output/.test(refusal.param) || /function_call_output/i.test(refusal.said)
  if (aboutOutput && !refused.includes('output')) return { refused: [...refused, 'output'] }
  const name = refusedParameter(parameters, refusal, lesson)
  return name ? { refused: [...refused, name] } : null
}

const inputItems = (messages: ModelMessage[], source: string, withImages: boolean): object[] => {
  const items: object[] = []
  let images: Content[] = []
  const flushImages = () => {
    if (images.length > 0) items.push({ role: 'user', content: images.map(inputPart) })
    images = []
  }
  for (const message of withResultsInOrder(messages)) {
    if (message.role === 'tool') {
      const whole = withImages && hasImage(message.content)
      if (!whole && hasImage(message.content)) images.push(...imagesOf(message))
      const output = whole ? message.content.filter(isSaid).map(inputPart) : toolText(message.content)
      items.push({ type: 'function_call_output', call_id: message.callId, output })
      continue
    }
    flushImages()
    if (message.role === 'user')
      items.push({
        role: 'user',
        content: hasImage(message.content) ? message.content.filter(isSaid).map(inputPart) : joinText(message.content),
      })
    else items.push(...(nativeItems(message, source) ?? plainItems(message)))
  }
  flushImages()
  return items
}

type Assistant = Extract<ModelMessage, { role: 'assistant' }>

const plainItems = ({ text, calls }: Assistant): Item[] => [
  ...(text === '' ? [] : [{ role: 'assistant', content: cleanText(text) }]),
  ...calls.map((call) => ({
    type: 'function_call',
    call_id: call.id,
    name: wireName(call.name),
    arguments: JSON.stringify(wireArguments(call)),
  })),
]

/** The items as the server wrote them, each call under the id that its result has. */
const nativeItems = (message: Assistant, source: string): Item[] | null => {
  const items = itemsFrom(message, source)?.filter(isRecord)
  const calls = items?.filter((item) => item.type === 'function_call')
  if (!items || calls?.length !== message.calls.length) return null
  const ids = message.calls.map(({ id }) => id)
  return items.filter(isOfUse).map((item) => {
    const kept = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))
    return item.type === 'function_call' ? { ...kept, call_id: ids.shift() } : kept
  })
}

/** A thought without its text, plain or encrypted, is only an id, which the server has not stored. */
const isOfUse = (item: Item): boolean =>
  item.type !== 'reasoning' || textOf(item.encrypted_content) !== '' || listOf(item.content).length > 0

const isSaid = (part: Content): boolean => part.type === 'image' || part.text !== ''

const inputPart = (part: Content): Item =>
  part.type === 'text'
    ? { type: 'input_text', text: cleanText(part.text) }
    : { type: 'input_image', image_url: `data:${part.mimeType};base64,${part.data}` }
