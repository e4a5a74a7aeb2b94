import { isRecord } from '../is-record'
import type { Incoming } from './exchange'
import { type Asked, cutShort, describeStreamError, isErrorBody } from './failure'
import { readAnswerBody, withPatience } from './http'
import { field, listOf, parseObject, textOf } from './json'
import type { ModelEvent, OnActivity } from './model'
import { type TokenUsage, usageFrom } from './usage'

const cutReasons: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded'])

interface OpenBlock {
  type: string
  block: Record<string, unknown>
  text: string
  signature: string
  /** A call came with its whole input; if that is streamed as well, it is the same once more. */
  isWhole: boolean
}

/** The answer of the messages interface: blocks of text, thoughts and calls. */
export async function* readMessage(
  incoming: Incoming,
  asked: Asked,
  source: string,
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
        yield* begunWith(opened)
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
      yield* begunWith(opened)
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
  const last = all.at(-1)
  // A thought that was cut has no signature, and is refused when it comes back.
  if (cutReasons.has(stopReason) && last?.type === 'thinking' && last.signature === '') all.pop()
  const calls = all.filter((each) => each.type === 'tool_use')
  if (all.some(isThought)) yield { type: 'native', native: { from: source, items: all.flatMap(nativeItem) } }
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
    block: isRecord(value) ? value : {},
    text: whole || textOf(field(value, 'text')) || textOf(field(value, 'thinking')),
    signature: textOf(field(value, 'signature')),
    isWhole: whole !== '',
  }
}

/** The words that a block has from its beginning. */
function* begunWith({ type, text }: OpenBlock): Generator<ModelEvent> {
  if (text === '') return
  if (type === 'text') yield { type, text }
  else if (type === 'thinking') yield { type: 'reasoning', text }
}

const addDelta = (opened: OpenBlock | undefined, delta: unknown): ModelEvent | null => {
  if (!opened) return null
  const kind = textOf(field(delta, 'type'))
  if (kind === 'signature_delta') opened.signature += textOf(field(delta, 'signature'))
  const piece = textOf(field(delta, 'text')) || textOf(field(delta, 'thinking')) || textOf(field(delta, 'partial_json'))
  if (piece === '') return null
  opened.text = opened.isWhole ? piece : opened.text + piece
  opened.isWhole = false
  if (kind === 'text_delta') return { type: 'text', text: piece }
  if (kind === 'thinking_delta') return { type: 'reasoning', text: piece }
  return null
}

const isThought = ({ type }: OpenBlock): boolean => type === 'thinking' || type === 'redacted_thinking'

/** Thoughts whole, as they go back; see `nativeBlocks` for the rest. */
const nativeItem = ({ type, block, text, signature }: OpenBlock): Record<string, unknown>[] => {
  switch (type) {
    case 'thinking':
      return [{ ...block, thinking: text, signature }]
    case 'redacted_thinking':
      return [block]
    case 'text':
      return [{ type, chars: text.length }]
    case 'tool_use':
      return [{ type }]
    default:
      return []
  }
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
