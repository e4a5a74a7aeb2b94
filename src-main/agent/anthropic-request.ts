import type { Content } from '../../src-preload/contract/content'
import type { ModelMessage, ModelRequest } from './model'
import { cleanText, plainId, wireArguments, wireName, withResultsInOrder } from './wire'

/** A thinking block as it came: it must go back unchanged, signature and all, while its tool calls are being answered. */
export type ThinkingBlock = Record<string, unknown>

type Block = Record<string, unknown>
interface WireMessage {
  role: 'user' | 'assistant'
  content: Block[]
}

const thinkingTokens = { low: 2000, medium: 8000, high: 24_000 } as const
const cached = { cache_control: { type: 'ephemeral' } }

export const anthropicBody = (request: ModelRequest, thinkingOf: (callId: string) => ThinkingBlock[] | undefined) => {
  const history = withResultsInOrder(request.messages)
  const thinking = request.thinking && mayThink(history, thinkingOf) ? request.thinking : undefined
  const messages = merge(history, thinking ? thinkingOf : () => undefined)
  markLast(messages)
  const budget = thinking ? thinkingTokens[thinking] : 0
  return {
    model: request.model,
    max_tokens: request.maxOutputTokens + budget,
    ...(request.system && { system: [{ type: 'text', text: cleanText(request.system), ...cached }] }),
    messages,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }, index) => ({
        name,
        description,
        input_schema: parameters,
        ...(index === request.tools.length - 1 && cached),
      })),
    }),
    ...(thinking && { thinking: { type: 'enabled', budget_tokens: budget } }),
    stream: true,
  }
}

/** In the middle of tool calls thinking must have been on from the start; without those blocks it is left off. */
const mayThink = (history: ModelMessage[], thinkingOf: (callId: string) => ThinkingBlock[] | undefined): boolean => {
  if (history.at(-1)?.role !== 'tool') return true
  const calling = history.findLast((message) => message.role === 'assistant')
  return calling?.role === 'assistant' && calling.calls.some((call) => thinkingOf(call.id))
}

/** Roles must alternate and begin with the user; the results of all calls belong to one user message. */
const merge = (history: ModelMessage[], thinkingOf: (callId: string) => ThinkingBlock[] | undefined): WireMessage[] => {
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
    else
      add('assistant', [
        ...(message.calls.map((call) => thinkingOf(call.id)).find(Boolean) ?? []),
        // A last text that ends in white space is refused.
        ...(message.text.trimEnd() ? [{ type: 'text', text: cleanText(message.text.trimEnd()) }] : []),
        ...message.calls.map((call) => ({
          type: 'tool_use',
          id: plainId(call.id),
          name: wireName(call.name),
          input: wireArguments(call),
        })),
      ])
  }
  return wire.filter((message) => message.content.length > 0)
}

const blocksOf = (content: Content[]): Block[] =>
  content
    .filter((part) => part.type === 'image' || part.text.trim() !== '')
    .map((part) =>
      part.type === 'text'
        ? { type: 'text', text: cleanText(part.text) }
        : { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } },
    )

/** The next request begins with this whole conversation, so it is worth keeping up to its end. */
const markLast = (messages: WireMessage[]) => {
  const block = messages.at(-1)?.content.at(-1)
  if (block && block.type !== 'thinking' && block.type !== 'redacted_thinking') Object.assign(block, cached)
}
