import { isRecord } from '../is-record'
import { field, listOf, textOf } from './json'
import type { ModelCall, ModelEvent } from './model'

type Item = Record<string, unknown>

interface OpenItem {
  /** As the server wrote it, when it is complete. */
  item: Item | null
  /** A call as it began, and its arguments so far: not every server repeats them with the item, or ends it. */
  begun: Item | null
  arguments: string
  /** What was streamed of its text and of its thoughts. */
  text: string
  reasoning: string
}

/**
 * The output of an answer, item by item. Items are known by their place in the output: some servers change the ids from one
 * event to the next. What was not streamed is told when the item is complete.
 */
export const responseItems = () => {
  let open = new Map<number, OpenItem>()
  const finished: OpenItem[] = []
  let pieces = 0
  let saidText = false
  let endsInBreak = true
  /** The place of the next item, for servers that do not number them and send one after the other. */
  let next = 0

  const at = (index: unknown): OpenItem => {
    const place = typeof index === 'number' ? index : next
    const known = open.get(place)
    if (known) return known
    const made: OpenItem = { item: null, begun: null, arguments: '', text: '', reasoning: '' }
    open.set(place, made)
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
    entry.item = withArguments(item, entry.arguments)
    if (typeof index !== 'number') next++
    const whole = { text: messageText(item), reasoning: thoughtText(item) }
    for (const type of ['reasoning', 'text'] as const)
      if (whole[type].startsWith(entry[type])) yield* say(type, entry, whole[type].slice(entry[type].length))
  }

  const toldItems = () => [...open.values()].flatMap(({ item }) => (item ? [item] : []))

  return {
    *add(type: string, value: Item): Generator<ModelEvent> {
      const delta = textOf(value.delta)
      const { output_index: index } = value
      switch (type) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          return yield* say('text', at(index), delta)
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return yield* say('reasoning', at(index), delta)
        case 'response.reasoning_summary_part.added':
          return yield* say('reasoning', at(index), at(index).reasoning === '' ? '' : '\n\n')
        case 'response.output_item.done':
          if (isRecord(value.item)) yield* complete(index, value.item)
          return
        case 'response.output_item.added':
          pieces++
          if (field(value.item, 'type') === 'function_call' && isRecord(value.item)) at(index).begun = value.item
          return
        case 'response.function_call_arguments.delta':
          pieces++
          at(index).arguments += delta
          return
        case 'response.function_call_arguments.done':
          at(index).arguments = textOf(value.arguments) || at(index).arguments
          return
        default:
          // Hosted tools and whatever may be added: it works, and tells of it with the item.
          if (type.endsWith('.delta')) pieces++
      }
    },
    /** Counts what has come that was not told at once. */
    progress: () => pieces,
    /** The output as the end of the answer lists it, for servers that did not tell of each item. */
    *take(output: unknown[]): Generator<ModelEvent> {
      const listed = output.filter(isRecord)
      const told = toldItems()
      const missing = told.length === 0 ? listed : untoldCalls(listed, told)
      const from = told.length === 0 ? 0 : Math.max(...open.keys()) + 1
      for (const [index, item] of missing.entries()) yield* complete(from + index, item)
      const known = callIds(toldItems())
      for (const entry of open.values())
        if (entry.begun && !entry.item && !known.has(entry.begun.call_id))
          entry.item = withArguments(entry.begun, entry.arguments)
    },
    /** Whether nothing has come since the last answer ended. */
    isIdle: (): boolean => open.size === 0,
    endResponse() {
      for (const [, entry] of [...open].toSorted(([a], [b]) => a - b)) if (entry.item) finished.push(entry)
      open = new Map()
      next = 0
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

const withArguments = (item: Item, streamed: string): Item =>
  item.type === 'function_call' && textOf(item.arguments) === '' && streamed !== ''
    ? { ...item, arguments: streamed }
    : item

const callsIn = (items: Item[]) => items.filter(({ type }) => type === 'function_call')

const callIds = (items: Item[]) => new Set(callsIn(items).map((call) => call.call_id))

/** Calls that only the list at the end has. Ids may have changed on the way, so it must also have more of them. */
const untoldCalls = (listed: Item[], told: Item[]): Item[] => {
  const known = callIds(told)
  const calls = callsIn(listed)
  return calls.length > known.size ? calls.filter((call) => !known.has(call.call_id)) : []
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
