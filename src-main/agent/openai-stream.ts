import type { Incoming } from './exchange'
import { type Asked, cutShort, describeStreamError, isErrorBody } from './failure'
import { readAnswerBody, withPatience } from './http'
import { splitThoughts } from './inline-thoughts'
import { field, listOf, parseObject, textOf } from './json'
import type { ModelEvent, OnActivity } from './model'
import { callCollector } from './openai-calls'
import type { ChatExtras } from './openai-request'
import { detailCollector } from './reasoning-details'
import { firstRecord, type TokenUsage, usageFrom } from './usage'

/** `model_length` is Mistral's, for the end of the window; `max_tokens` comes from gateways to Claude. */
const cutReasons: ReadonlySet<string> = new Set(['length', 'model_length', 'max_tokens'])
/** The server gave up in the middle: any of them, DeepSeek when it is short of machines, and watsonx. */
const brokenOff: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource', 'time_limit', 'cancelled'])

/** The answer of chat completions, in the dialects of many servers. `source` names the server that native parts can be sent back to. */
export async function* readChat(
  incoming: Incoming,
  asked: Asked,
  source: string,
  onActivity?: OnActivity,
): AsyncGenerator<ModelEvent> {
  const calls = callCollector()
  const details = detailCollector()
  const thoughts = splitThoughts()
  let reasoningContent = ''
  let finish = ''
  let usage: unknown
  let complete = false
  /** More came after a reason to finish: some servers give one with each piece. */
  let resumed = false

  const patience = () => (complete ? 'ended' : finish === '' ? 'answering' : resumed ? 'resumed' : 'finishing')
  for await (const item of withPatience(readAnswerBody(incoming, asked, onActivity), patience)) {
    const data = item.type === 'event' ? item.event.data.trim() : ''
    if (data === '[DONE]') complete = true
    if (complete || (item.type === 'event' && data === '')) continue
    const chunk = item.type === 'json' ? item.value : parseObject(data)
    // Half an event at the end of a broken stream, or noise: either way the answer is not whole.
    if (chunk === null) throw cutShort(asked)
    if (isErrorBody(chunk) || (item.type === 'event' && item.event.event === 'error'))
      throw describeStreamError(chunk, asked)
    // As FastAPI and older servers say it: the error is the whole body.
    if (item.type === 'json' && field(chunk, 'choices') === undefined) throw describeStreamError(chunk, asked)
    const choice = listOf(field(chunk, 'choices'))[0]
    usage = firstRecord(field(chunk, 'usage'), field(field(chunk, 'x_groq'), 'usage'), field(choice, 'usage')) ?? usage
    const delta = field(choice, 'delta') ?? field(choice, 'message')
    resumed ||= finish !== '' && textOf(field(delta, 'content')) !== ''
    reasoningContent += textOf(field(delta, 'reasoning_content'))
    for (const event of reasoningEvents(delta, details.add(delta))) {
      thoughts.markedElsewhere()
      yield event
    }
    yield* textEvents(delta, thoughts)
    if (calls.add(delta)) onActivity?.('working')
    finish = textOf(field(choice, 'finish_reason')) || finish
    if (item.type === 'json') complete = true
  }
  // Servers may leave out [DONE] or the finish reason, but one that leaves out both was cut off.
  if ((!complete && finish === '') || brokenOff.has(finish)) throw cutShort(asked)
  yield* thoughts.end()
  const made = calls.finish()
  for (const { extra: _, ...call } of made) yield { type: 'call', call }
  const extras = calls.hasExtras() ? made.map(({ extra }) => extra ?? null) : null
  const back: ChatExtras = {
    ...(reasoningContent && { reasoning_content: reasoningContent }),
    ...(details.all().length > 0 && { reasoning_details: details.all() }),
    ...(extras && { calls: extras }),
  }
  // Wanted back with the results of calls, and refused by some without any.
  if (made.length > 0 && Object.keys(back).length > 0) yield { type: 'native', native: { from: source, items: [back] } }
  const counted = usageOf(usage)
  if (counted) yield { type: 'usage', ...counted }
  yield { type: 'end', reason: cutReasons.has(finish) ? 'length' : finish === 'content_filter' ? 'refused' : 'stop' }
}

function* reasoningEvents(delta: unknown, detail: string): Generator<ModelEvent> {
  const reasoning = textOf(field(delta, 'reasoning_content')) || textOf(field(delta, 'reasoning')) || detail
  if (reasoning) yield { type: 'reasoning', text: reasoning }
}

function* textEvents(delta: unknown, thoughts: ReturnType<typeof splitThoughts>): Generator<ModelEvent> {
  const content = field(delta, 'content')
  const isThought = field(field(field(delta, 'extra_content'), 'google'), 'thought') === true
  if (typeof content === 'string') {
    if (content && isThought) yield { type: 'reasoning', text: content.replace(/<\/?thought>/g, '') }
    else if (content) yield* thoughts.push(content)
  } else {
    for (const part of listOf(content)) {
      const thought = listOf(field(part, 'thinking'))
        .map((each) => textOf(field(each, 'text')))
        .join('')
      if (thought) yield { type: 'reasoning', text: thought }
      const text = textOf(field(part, 'text'))
      if (text) yield* thoughts.push(text)
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
    total: field(usage, 'total_tokens'),
  })
