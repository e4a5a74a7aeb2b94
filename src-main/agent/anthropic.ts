import { anthropicBody, type ThinkingBlock } from './anthropic-request'
import type { Incoming } from './exchange'
import { type Asked, cutShort, describeStreamError, describeThrown, isErrorBody, ProviderFailure } from './failure'
import { baseCandidates, checkedKey, type Endpoint, hostOf, readAnswerBody, send, withPatience } from './http'
import { field, listOf, parseObject, textOf } from './json'
import type { Model, ModelEvent, ModelRequest, OnActivity } from './model'
import { type TokenUsage, usageFrom } from './usage'

const rememberedAnswers = 200

export const anthropicHeaders = (key: string | null): Record<string, string> => ({
  'anthropic-version': '2023-06-01',
  ...(key && { 'x-api-key': key }),
})

/** A model behind Anthropic's messages interface. */
export const anthropicModel = (endpoint: Endpoint): Model => {
  let addresses: string[] | null = null
  // Thinking blocks by the calls that followed them. Only the running turn needs them, so they are not kept on disk.
  const thinking = new Map<string, ThinkingBlock[]>()
  const remember = (callIds: string[], blocks: ThinkingBlock[]) => {
    if (blocks.length === 0) return
    for (const id of callIds) thinking.set(id, blocks)
    for (const id of thinking.keys()) if (thinking.size > rememberedAnswers) thinking.delete(id)
  }

  const known = new Map<string, Limits>()

  const open = async (request: ModelRequest, asked: Asked): Promise<Incoming> => {
    addresses ??= baseCandidates(endpoint.baseUrl)
    const limits = known.get(request.model) ?? { maxTokens: Number.POSITIVE_INFINITY, thinking: true }
    known.set(request.model, limits)
    const headers = { 'content-type': 'application/json', ...anthropicHeaders(asked.key) }
    for (;;) {
      const { thinking: wish, ...rest } = request
      const body = anthropicBody(limits.thinking && wish ? { ...rest, thinking: wish } : rest, (id) => thinking.get(id))
      body.max_tokens = Math.min(body.max_tokens, limits.maxTokens)
      try {
        const outgoing = { headers, body: JSON.stringify(body), signal: request.signal }
        return await send(`${addresses[0]}/messages`, outgoing, asked)
      } catch (thrown) {
        if (!(thrown instanceof ProviderFailure)) throw thrown
        const missing = thrown.detail.status === 404 && thrown.error.kind !== 'model-not-found'
        if (missing && addresses.length > 1) addresses = addresses.slice(1)
        else if (!adapt(limits, thrown, body)) throw thrown
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
        yield* readMessage(incoming, asked, remember, onActivity)
      } catch (thrown) {
        if (request.signal.aborted) return
        const { error, detail } = describeThrown(thrown, asked, begun)
        yield { type: 'error', error, ...(detail.retryAfterMs !== undefined && { retryAfterMs: detail.retryAfterMs }) }
      }
    },
  }
}

/** Older models answer in fewer tokens, or cannot think; both are learnt from the refusal. */
interface Limits {
  maxTokens: number
  thinking: boolean
}

const adapt = (
  limits: Limits,
  { error, detail }: ProviderFailure,
  body: { max_tokens: number; thinking?: unknown },
) => {
  if (detail.status !== 400) return false
  const allowed = Number(/max_tokens: \d+ > (\d+)/.exec(error.message)?.[1])
  if (allowed > 0 && allowed < body.max_tokens) limits.maxTokens = allowed
  else if (body.thinking && /thinking/.test(error.message)) limits.thinking = false
  else return false
  return true
}

const cutReasons: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded'])

interface OpenBlock {
  type: string
  block: Record<string, unknown>
  text: string
  signature: string
}

async function* readMessage(
  incoming: Incoming,
  asked: Asked,
  remember: (callIds: string[], blocks: ThinkingBlock[]) => void,
  onActivity?: OnActivity,
): AsyncGenerator<ModelEvent> {
  const blocks = new Map<unknown, OpenBlock>()
  const usage = new Map<string, unknown>()
  let stopReason = ''
  let complete = false

  const patience = () => (complete ? 'ended' : stopReason === '' ? 'answering' : 'finishing')
  for await (const item of withPatience(readAnswerBody(incoming, asked, onActivity), patience)) {
    if (complete) continue
    if (item.type === 'json') {
      if (isErrorBody(item.value)) throw describeStreamError(item.value, asked)
      for (const [index, block] of listOf(field(item.value, 'content')).entries()) {
        const opened = openBlock(block)
        blocks.set(index, opened)
        if (opened.type === 'text' || opened.type === 'thinking')
          yield { type: opened.type === 'text' ? 'text' : 'reasoning', text: opened.text }
      }
      takeUsage(usage, field(item.value, 'usage'))
      stopReason = textOf(field(item.value, 'stop_reason'))
      complete = true
      continue
    }
    const data = parseObject(item.event.data)
    if (data === null) throw cutShort(asked)
    const type = textOf(data.type) || item.event.event
    if (type === 'message_start') takeUsage(usage, field(data.message, 'usage'))
    else if (type === 'content_block_start') {
      const opened = openBlock(data.content_block)
      blocks.set(data.index, opened)
      if (opened.text && opened.type === 'text') yield { type: 'text', text: opened.text }
    } else if (type === 'content_block_delta') {
      const event = addDelta(blocks.get(data.index), data.delta)
      if (event) yield event
      else onActivity?.('working')
    } else if (type === 'message_delta') {
      takeUsage(usage, data.usage)
      stopReason = textOf(field(data.delta, 'stop_reason')) || stopReason
    } else if (type === 'message_stop') complete = true
    else if (type === 'error') throw describeStreamError(data, asked)
    // Pings, ends of blocks and whatever may be added later need nothing.
  }
  if (!complete && stopReason === '') throw cutShort(asked)

  const all = [...blocks.values()]
  const calls = all.filter((each) => each.type === 'tool_use')
  remember(
    calls.map((each) => textOf(each.block.id)),
    all.flatMap(thinkingBlock),
  )
  for (const { block, text } of calls)
    yield { type: 'call', call: { id: textOf(block.id), name: textOf(block.name), arguments: text.trim() || '{}' } }
  const counted = usage.size > 0 ? usageOf(usage) : null
  if (counted) yield { type: 'usage', ...counted }
  yield { type: 'end', reason: cutReasons.has(stopReason) ? 'length' : stopReason === 'refusal' ? 'refused' : 'stop' }
}

const openBlock = (value: unknown): OpenBlock => {
  const type = textOf(field(value, 'type'))
  // The input of a streamed call starts as an empty object and comes as text afterwards.
  const input = field(value, 'input')
  const whole = type === 'tool_use' && input && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
  return {
    type,
    block: (value ?? {}) as Record<string, unknown>,
    text: whole || textOf(field(value, 'text')) || textOf(field(value, 'thinking')),
    signature: textOf(field(value, 'signature')),
  }
}

const addDelta = (opened: OpenBlock | undefined, delta: unknown): ModelEvent | null => {
  if (!opened) return null
  const kind = textOf(field(delta, 'type'))
  if (kind === 'signature_delta') opened.signature += textOf(field(delta, 'signature'))
  const piece = textOf(field(delta, 'text')) || textOf(field(delta, 'thinking')) || textOf(field(delta, 'partial_json'))
  opened.text += piece
  if (piece === '') return null
  if (kind === 'text_delta') return { type: 'text', text: piece }
  if (kind === 'thinking_delta') return { type: 'reasoning', text: piece }
  return null
}

const thinkingBlock = ({ type, block, text, signature }: OpenBlock): ThinkingBlock[] => {
  if (type === 'thinking') return [{ type, thinking: text, signature }]
  return type === 'redacted_thinking' ? [block] : []
}

const figures = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/** Later figures replace earlier ones: they are totals, not parts. */
const takeUsage = (usage: Map<string, unknown>, from: unknown) => {
  for (const name of figures) {
    const figure = field(from, name)
    if (figure != null) usage.set(name, figure)
  }
}

/** The tokens that are read from or written to the cache are not among the input tokens. */
const usageOf = (usage: Map<string, unknown>): TokenUsage | null => {
  const [input, output, cached = 0, written = 0] = figures.map((name) => usage.get(name))
  const parts = [input ?? 0, cached, written]
  const whole = parts.every((part) => typeof part === 'number' && part >= 0)
    ? parts.reduce<number>((sum, part) => sum + Number(part), 0)
    : Number.NaN
  return usageFrom({ input: whole, output, cached, written })
}
