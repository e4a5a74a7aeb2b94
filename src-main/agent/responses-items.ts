import { isRecord } from '../is-record'
import { field, listOf, textOf } from './json'
import type { ModelCall, ModelEvent } from './model'

type Item = Record<string, unknown>

interface OpenItem {
  /** As the server wrote it, when it is complete. */
  item: Item | null
  /** What was streamed of its text and of its thoughts. */
  text: string
  reasoning: string
}

/**
 * The output of an answer, item by item. Items are known by their place in the output: some servers change the ids from one
 * event to the next. What was not streamed is told when the item is complete.
 */
export const responseItems = () => {
  let open = new Map<unknown, OpenItem>()
  const finished: OpenItem[] = []
  let pieces = 0
  let saidText = false
  let endsInBreak = true

  const at = (index: unknown): OpenItem => {
    const known = open.get(index)
    if (known) return known
    const made: OpenItem = { item: null, text: '', reasoning: '' }
    open.set(index, made)
    return made
  }

  function* say(type: 'text' | 'reasoning', entry: OpenItem, words: string): Generator<ModelEvent> {
    if (words === '') return
    // Two messages of one answer are two paragraphs.
    if (type === 'text' && entry.text === '' && saidText && !endsInBreak) yield { type, text: '\n\n' }
    entry[type] += words
    if (type === 'text') {
      saidText = true
      endsInBreak = words.endsWith('\n')
    }
    yield { type, text: words }
  }

  function* complete(index: unknown, item: Item): Generator<ModelEvent> {
    const entry = at(index)
    entry.item = item
    const whole = { text: messageText(item), reasoning: thoughtText(item) }
    for (const type of ['reasoning', 'text'] as const)
      if (whole[type].startsWith(entry[type])) yield* say(type, entry, whole[type].slice(entry[type].length))
  }

  return {
    *add(type: string, value: Item): Generator<ModelEvent> {
      const delta = textOf(value.delta)
      const entry = at(value.output_index)
      switch (type) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          return yield* say('text', entry, delta)
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return yield* say('reasoning', entry, delta)
        case 'response.reasoning_summary_part.added':
          return yield* say('reasoning', entry, entry.reasoning === '' ? '' : '\n\n')
        case 'response.output_item.done':
          if (isRecord(value.item)) yield* complete(value.output_index, value.item)
          return
        default:
          // Arguments of calls, hosted tools and whatever may be added: it works, and tells of it with the item.
          if (type.endsWith('.delta') || type === 'response.output_item.added') pieces++
      }
    },
    /** Counts what has come that was not told at once. */
    progress: () => pieces,
    /** The output as the end of the answer lists it, for servers that did not tell of each item. */
    *take(output: unknown[]): Generator<ModelEvent> {
      if ([...open.values()].some(({ item }) => item)) return
      for (const [index, item] of output.entries()) if (isRecord(item)) yield* complete(index, item)
    },
    endResponse() {
      for (const [, entry] of [...open].toSorted(([a], [b]) => Number(a) - Number(b)))
        if (entry.item) finished.push(entry)
      open = new Map()
    },
    calls: (): ModelCall[] =>
      finished.flatMap(({ item }) =>
        item?.type === 'function_call'
          ? [
              {
                id: textOf(item.call_id) || textOf(item.id),
                name: textOf(item.name),
                arguments: textOf(item.arguments).trim() || '{}',
              },
            ]
          : [],
      ),
    /** All items, where there is more to them than the text and the calls that are kept anyway. */
    native: (): Item[] | null => {
      const items = finished.flatMap(({ item }) => (item ? [item] : []))
      const isMore = (item: Item) =>
        (item.type !== 'message' && item.type !== 'function_call') || item.phase !== undefined
      return items.some(isMore) ? items : null
    },
  }
}

const messageText = (item: Item): string =>
  item.type === 'message'
    ? listOf(item.content)
        .map((part) => textOf(field(part, 'text')) || textOf(field(part, 'refusal')))
        .join('')
    : ''

/** The summary where there is one: it is what was streamed. */
const thoughtText = (item: Item): string => {
  if (item.type !== 'reasoning') return ''
  const words = (parts: unknown) => listOf(parts).map((part) => textOf(field(part, 'text')))
  return words(item.summary).join('\n\n') || words(item.content).join('')
}
