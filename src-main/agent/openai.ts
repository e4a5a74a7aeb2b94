import type { Incoming, Outgoing } from './exchange'
import { type Asked, cutShort, describeStreamError, describeThrown, isErrorBody, ProviderFailure } from './failure'
import { baseCandidates, checkedKey, type Endpoint, hostOf, readAnswerBody, send, withPatience } from './http'
import { field, listOf, parseObject, textOf } from './json'
import type { Model, ModelEvent, ModelRequest, OnActivity } from './model'
import { callCollector } from './openai-calls'
import { openaiBody, type Quirks } from './openai-request'
import { firstRecord, type TokenUsage, usageFrom } from './usage'

/** A model behind the chat-completions interface of OpenAI, which nearly every other server speaks too. */
export const openaiModel = (endpoint: Endpoint): Model => {
  // What is learnt about a server holds as long as this object: the address that works, and what it does not understand.
  let addresses: string[] | null = null
  const known = new Map<string, Quirks>()

  const open = async (request: ModelRequest, asked: Asked): Promise<Incoming> => {
    const quirks = known.get(request.model) ?? { limit: 'max_tokens', usage: true, thinking: true }
    known.set(request.model, quirks)
    addresses ??= baseCandidates(endpoint.baseUrl)
    for (;;) {
      try {
        return await send(
          `${addresses[0]}/chat/completions`,
          outgoing(openaiBody(request, quirks), asked.key, request.signal),
          asked,
        )
      } catch (thrown) {
        if (!(thrown instanceof ProviderFailure)) throw thrown
        if (isMissing(thrown) && addresses.length > 1) addresses = addresses.slice(1)
        else if (!adapt(quirks, thrown)) throw thrown
      }
    }
  }

  return {
    async *stream(request, onActivity) {
      const asked: Asked = { host: hostOf(endpoint.baseUrl), model: request.model, key: null }
      let begun = false
      try {
        asked.key = await checkedKey(endpoint)
        const incoming = await open(request, asked)
        begun = true
        yield* readChat(incoming, asked, onActivity)
      } catch (thrown) {
        if (request.signal.aborted) return
        const { error, detail } = describeThrown(thrown, asked, begun)
        yield { type: 'error', error, ...(detail.retryAfterMs !== undefined && { retryAfterMs: detail.retryAfterMs }) }
      }
    },
  }
}

const outgoing = (body: object, key: string | null, signal: AbortSignal): Outgoing => ({
  headers: {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(key && { authorization: `Bearer ${key}` }),
  },
  body: JSON.stringify(body),
  signal,
})

const isMissing = ({ error, detail }: ProviderFailure) =>
  error.kind === 'bad-response' && (detail.status === 404 || detail.status === 405)

/** Drops what the server complains about. False when the complaint is about something else. */
const adapt = (quirks: Quirks, { error, detail }: ProviderFailure): boolean => {
  if (detail.status !== 400 && detail.status !== 422) return false
  if (error.message.includes('max_completion_tokens') && quirks.limit === 'max_tokens')
    quirks.limit = 'max_completion_tokens'
  else if (/stream_options|include_usage/.test(error.message) && quirks.usage) quirks.usage = false
  else if (/reasoning_effort|reasoning\.effort/.test(error.message) && quirks.thinking) quirks.thinking = false
  else if (/max_(completion_)?tokens/.test(error.message) && quirks.limit !== 'none') quirks.limit = 'none'
  else return false
  return true
}

async function* readChat(incoming: Incoming, asked: Asked, onActivity?: OnActivity): AsyncGenerator<ModelEvent> {
  const calls = callCollector()
  let finish = ''
  let usage: unknown
  let complete = false

  const patience = () => (complete ? 'ended' : finish === '' ? 'answering' : 'finishing')
  for await (const item of withPatience(readAnswerBody(incoming, asked, onActivity), patience)) {
    const data = item.type === 'event' ? item.event.data.trim() : ''
    if (data === '[DONE]') complete = true
    if (complete || (item.type === 'event' && data === '')) continue
    const chunk = item.type === 'json' ? item.value : parseObject(data)
    // Half an event at the end of a broken stream, or noise: either way the answer is not whole.
    if (chunk === null) throw cutShort(asked)
    if (isErrorBody(chunk) || (item.type === 'event' && item.event.event === 'error'))
      throw describeStreamError(chunk, asked)
    usage = firstRecord(field(chunk, 'usage'), field(field(chunk, 'x_groq'), 'usage')) ?? usage
    const choice = listOf(field(chunk, 'choices'))[0]
    const delta = field(choice, 'delta') ?? field(choice, 'message')
    yield* textEvents(delta)
    if (calls.add(delta)) onActivity?.('working')
    finish = textOf(field(choice, 'finish_reason')) || finish
    if (item.type === 'json') complete = true
  }
  // Servers may leave out [DONE] or the finish reason, but one that leaves out both was cut off.
  if (!complete && finish === '') throw cutShort(asked)
  for (const call of calls.finish()) yield { type: 'call', call }
  const counted = usageOf(usage)
  if (counted) yield { type: 'usage', ...counted }
  yield { type: 'end', reason: finish === 'length' ? 'length' : finish === 'content_filter' ? 'refused' : 'stop' }
}

function* textEvents(delta: unknown): Generator<ModelEvent> {
  const reasoning = textOf(field(delta, 'reasoning_content')) || textOf(field(delta, 'reasoning'))
  if (reasoning) yield { type: 'reasoning', text: reasoning }
  const content = field(delta, 'content')
  if (typeof content === 'string') {
    if (content) yield { type: 'text', text: content }
  } else {
    for (const part of listOf(content)) {
      const thought = listOf(field(part, 'thinking'))
        .map((each) => textOf(field(each, 'text')))
        .join('')
      if (thought) yield { type: 'reasoning', text: thought }
      const text = textOf(field(part, 'text'))
      if (text) yield { type: 'text', text }
    }
  }
  const refusal = textOf(field(delta, 'refusal'))
  if (refusal) yield { type: 'text', text: refusal }
}

const usageOf = (usage: unknown): TokenUsage | null =>
  usageFrom({
    input: field(usage, 'prompt_tokens'),
    output: field(usage, 'completion_tokens'),
    cached: field(field(usage, 'prompt_tokens_details'), 'cached_tokens') ?? field(usage, 'prompt_cache_hit_tokens'),
    written: field(field(usage, 'prompt_tokens_details'), 'cache_write_tokens'),
    reasoning: field(field(usage, 'completion_tokens_details'), 'reasoning_tokens'),
  })
