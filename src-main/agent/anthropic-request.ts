import type { Content } from '../../src-preload/contract/content'
import { isRecord } from '../is-record'
import { thinkingPart } from './anthropic-thinking'
import type { Lesson } from './lessons'
import { itemsFrom, type ModelMessage, type ModelRequest } from './model'
import { cleanText, plainId, wireArguments, wireName, withResultsInOrder } from './wire'

type Block = Record<string, unknown>
interface WireMessage {
  role: 'user' | 'assistant'
  content: Block[]
}
type Assistant = Extract<ModelMessage, { role: 'assistant' }>

const cached = { cache_control: { type: 'ephemeral' } }

/** The body of a request of the messages interface. `source` names who it goes to, and whose own thoughts go back. */
export const anthropicBody = (request: ModelRequest, lesson: Lesson, source: string) => {
  const history = withResultsInOrder(request.messages)
  const { tokens, fields } = thinkingPart(request, lesson, () => mayThink(history, source))
  const messages = merge(history, 'thinking' in fields ? source : '')
  markEnds(messages)
  const limit = request.maxOutputTokens + tokens
  return {
    model: request.model,
    max_tokens: Math.min(limit, lesson.maxTokens ?? limit),
    // What comes first stays the same from request to request, and what grows comes last: the order that caches go by.
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }, index) => ({
        name,
        description,
        input_schema: parameters,
        ...(index === request.tools.length - 1 && cached),
      })),
    }),
    ...fields,
    stream: true,
    ...(request.system && { system: [{ type: 'text', text: cleanText(request.system), ...cached }] }),
    messages,
  }
}

/** With a budget, thinking must have been on from the first of the calls that are being answered. */
const mayThink = (history: ModelMessage[], source: string): boolean => {
  if (history.at(-1)?.role !== 'tool') return true
  const calling = history.findLast((message) => message.role === 'assistant')
  return calling !== undefined && itemsFrom(calling, source) !== undefined
}

/** Roles must alternate and begin with the user; the results of all calls belong to one user message. */
const merge = (history: ModelMessage[], source: string): WireMessage[] => {
  const wire: WireMessage[] = []
  const add = (role: WireMessage['role'], blocks: Block[]) => {
    const last = wire.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else wire.push({ role, content: blocks })
  }
  if (history[0]?.role === 'assistant') add('user', [{ type: 'text', text: '(The conversation goes on.)' }])
  for (const message of history) {
    if (message.role === 'user') add('user', blocksOf(message.content))
    else if (message.role === 'tool')
      add('user', [
        {
          type: 'tool_result',
          tool_use_id: plainId(message.callId),
          content: blocksOf(message.content),
          ...(message.isError && { is_error: true }),
        },
      ])
    else add('assistant', nativeBlocks(message, source) ?? plainBlocks(message))
  }
  return wire.filter((message) => message.content.length > 0)
}

const plainBlocks = ({ text, calls }: Assistant): Block[] => [
  // A last text that ends in white space is refused.
  ...(text.trimEnd() ? [{ type: 'text', text: cleanText(text.trimEnd()) }] : []),
  ...calls.map(callBlock),
]

const callBlock = (call: Assistant['calls'][number]): Block => ({
  type: 'tool_use',
  id: plainId(call.id),
  name: wireName(call.name),
  input: wireArguments(call),
})

/**
 * The blocks in the order in which they came. Thoughts are kept whole, signature and all; of texts only the length is, and
 * of calls the place, since both are kept with the message.
 */
const nativeBlocks = (message: Assistant, source: string): Block[] | null => {
  const items = itemsFrom(message, source)?.filter(isRecord)
  if (!items) return null
  const calls = [...message.calls]
  let at = 0
  const blocks = items.flatMap((item): Block[] => {
    if (item.type === 'tool_use') {
      const call = calls.shift()
      return call ? [callBlock(call)] : []
    }
    if (item.type !== 'text') return [item]
    const text = message.text.slice(at, at + Number(item.chars))
    at += Number(item.chars)
    return text.trim() === '' ? [] : [{ type: 'text', text: cleanText(text) }]
  })
  return calls.length === 0 && at === message.text.length ? blocks : null
}

const blocksOf = (content: Content[]): Block[] =>
  content
    .filter((part) => part.type === 'image' || part.text.trim() !== '')
    .map((part) =>
      part.type === 'text'
        ? { type: 'text', text: cleanText(part.text) }
        : { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } },
    )

/**
 * The next request begins with this whole conversation, so it is kept up to its end. What the request before has kept is
 * marked as well: the server looks for it no more than 20 blocks back, and one answer may have more calls than that.
 */
const markEnds = (messages: WireMessage[]) => {
  for (const { content } of messages.filter(({ role }) => role === 'user').slice(-2)) {
    const block = content.at(-1)
    if (block) Object.assign(block, cached)
  }
}
