import type { Message } from '../../src-preload/contract/messages'
import type { ToolDefinition } from '../tools/tool'
import type { ModelMessage } from './model'

/** How the session turns its messages into what a model reads; calls come with the message that made them. */
export type ToModel = (messages: Message[]) => ModelMessage[]

const bytesPerToken = 4
const tokensPerMessage = 6
const tokensPerImage = 1200

/** A rough count: bytes rather than characters, because other scripts take more tokens for each character. */
export const estimateText = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

export const estimateTokens = (messages: ModelMessage[]): number => {
  let tokens = 0
  for (const message of messages) {
    tokens += tokensPerMessage
    if (message.role === 'assistant') {
      tokens += estimateText(message.text)
      for (const call of message.calls) tokens += tokensPerMessage + estimateText(call.name + call.arguments)
    } else {
      for (const part of message.content) tokens += part.type === 'text' ? estimateText(part.text) : tokensPerImage
    }
  }
  return tokens
}

/** What every request carries besides the conversation. */
export const estimateOverhead = (system: string, tools: ToolDefinition[]): number =>
  estimateText(system) + (tools.length > 0 ? estimateText(JSON.stringify(tools)) : 0)

/**
 * How full the window is. What the provider counted for the last answer is right; only what came since is estimated. A count
 * from before the compaction in force (at `compactedAt`) tells of messages that are hidden now and is passed over.
 */
export const contextTokens = (
  messages: Message[],
  toModel: ToModel,
  overhead: number,
  compactedAt = Number.NEGATIVE_INFINITY,
): number => {
  const counted = messages.findLastIndex(
    (message) => message.seq > compactedAt && (message.usage?.inputTokens ?? 0) > 0,
  )
  const usage = messages[counted]?.usage
  if (!usage) return overhead + estimateTokens(toModel(messages))
  const results = toModel(messages.slice(counted, counted + 1)).filter((message) => message.role === 'tool')
  return usage.inputTokens + usage.outputTokens + estimateTokens([...results, ...toModel(messages.slice(counted + 1))])
}

/**
 * Where to part the conversation: the index of the first message to keep, so that about `keepTokens` stay. A request of the
 * user's is the best place; within one long turn any message will do, because results belong to the message that called.
 * What the user asked last stays in sight if it takes no more than twice the share, and the last message always does.
 */
export const splitIndex = (messages: Message[], toModel: ToModel, keepTokens: number): number => {
  const sizes = messages.map((message) => estimateTokens(toModel([message])))
  const startOfLast = (tokens: number): number => {
    let first = messages.length
    for (let kept = 0; first > 0; first--) {
      kept += sizes[first - 1] ?? 0
      if (kept > tokens) break
    }
    return first
  }
  const first = startOfLast(keepTokens)
  const request = messages.findIndex((message, index) => index >= first && message.role === 'user')
  if (request !== -1) return request
  const latest = messages.findLastIndex((message) => message.role === 'user')
  if (latest >= startOfLast(keepTokens * 2)) return latest
  return Math.max(0, Math.min(first, messages.length - 1))
}
