import { isRecord } from '../is-record'
import type { Incoming } from './exchange'
import { type Asked, cutShort, describeStreamError, isErrorBody } from './failure'
import { readAnswerBody, withPatience } from './http'
import { field, listOf, parseObject, textOf } from './json'
import type { ModelEvent, OnActivity } from './model'
import { responseItems } from './responses-items'
import { type TokenUsage, usageFrom } from './usage'

type End = Extract<ModelEvent, { type: 'end' }>['reason']

/** The answer of the Responses API. Events are told apart by the type in their data; some servers name them otherwise. */
export async function* readResponses(
  incoming: Incoming,
  asked: Asked,
  source: string,
  onActivity?: OnActivity,
): AsyncGenerator<ModelEvent> {
  const items = responseItems()
  let ended: End | null = null
  let lastId = ''
  let usage: TokenUsage | null = null

  const patience = () => (ended ? 'ended' : 'answering')
  for await (const item of withPatience(readAnswerBody(incoming, asked, onActivity), patience)) {
    const data = item.type === 'event' ? item.event.data.trim() : ''
    if (item.type === 'event' && (data === '' || data === '[DONE]')) continue
    const value = item.type === 'json' ? item.value : parseObject(data)
    if (!isRecord(value)) throw cutShort(asked)
    const type = item.type === 'json' ? 'response.completed' : textOf(value.type)
    const response = item.type === 'json' ? value : value.response
    if (type === 'error' || type === 'response.failed' || (type === '' && isErrorBody(value)))
      throw describeStreamError({ error: field(response, 'error') ?? value.error ?? value }, asked)
    if (type === 'response.completed' || type === 'response.incomplete' || type === 'response.done') {
      if (isErrorBody(response)) throw describeStreamError(response, asked)
      const id = textOf(field(response, 'id'))
      // The same end, told twice.
      if (ended && id === lastId && items.isIdle()) continue
      lastId = id
      yield* items.take(listOf(field(response, 'output')))
      items.endResponse()
      ended = endOf(response)
      usage = sum(usage, usageOf(field(response, 'usage')))
      continue
    }
    const before = onActivity && items.progress()
    yield* items.add(type, value)
    if (before !== undefined && items.progress() !== before) onActivity?.('working')
  }
  if (ended === null) throw cutShort(asked)

  for (const call of items.calls()) yield { type: 'call', call }
  const native = items.native()
  // Items that were cut are refused when they come back.
  if (native && ended !== 'length') yield { type: 'native', native: { from: source, items: native } }
  if (usage) yield { type: 'usage', ...usage }
  yield { type: 'end', reason: ended }
}

const endOf = (response: unknown): End => {
  const reason = textOf(field(field(response, 'incomplete_details'), 'reason'))
  if (reason === 'content_filter') return 'refused'
  return reason !== '' || field(response, 'status') === 'incomplete' ? 'length' : 'stop'
}

const usageOf = (usage: unknown): TokenUsage | null => {
  const inputDetails = field(usage, 'input_tokens_details')
  return usageFrom({
    input: field(usage, 'input_tokens'),
    output: field(usage, 'output_tokens'),
    cached: field(inputDetails, 'cached_tokens'),
    written: field(inputDetails, 'cache_write_tokens'),
    reasoning: field(field(usage, 'output_tokens_details'), 'reasoning_tokens'),
  })
}

/** Some put several answers into one stream. */
const sum = (some: TokenUsage | null, more: TokenUsage | null): TokenUsage | null => {
  if (!some || !more) return more ?? some
  const written = (some.cacheWriteTokens ?? 0) + (more.cacheWriteTokens ?? 0)
  const thought = (some.reasoningTokens ?? 0) + (more.reasoningTokens ?? 0)
  return {
    inputTokens: some.inputTokens + more.inputTokens,
    outputTokens: some.outputTokens + more.outputTokens,
    cachedTokens: some.cachedTokens + more.cachedTokens,
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(thought > 0 && { reasoningTokens: thought }),
  }
}
