import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import { silentLog } from '../log'
import { type AssistantWriter, createAssistantWriter } from './assistant-writer'
import type { Store } from './store'
import { openTestStore, type TestStore } from './test-store'

let kept: TestStore
let store: Store
let sessionId: string
let events: DeckhandEvent[]
let writer: AssistantWriter
beforeEach(() => {
  kept = openTestStore('writer')
  ;({ store, sessionId } = kept)
  events = []
  writer = createAssistantWriter({
    store,
    publish: (event) => events.push(event),
    sessionId,
    model: 'm',
    refusal: (name, message) => [{ type: 'text', text: `${name}: ${message}` }],
    log: silentLog,
  })
})
afterEach(() => kept.close())

const deltas = (from = 0): string =>
  events
    .slice(from)
    .map((event) => (event.type === 'delta' ? event.text : ''))
    .join('')

test('a page read in the middle of a stream has every word, and none of them is told again', () => {
  for (const word of ['one ', 'two ', 'three ']) writer.delta('text', word)
  writer.flush()
  const { messages } = store.messages.page(sessionId, undefined, 10)
  expect(messages[0]?.parts).toEqual([{ type: 'text', text: 'one two three ' }])
  expect(deltas()).toBe('one two three ')

  const read = events.length
  writer.delta('text', 'four')
  const none = { reasoning: '', reasoningMs: 0, calls: [], usage: null }
  writer.end({ type: 'assistant-end', text: 'one two three four', ...none })
  expect(deltas(read)).toBe('four')
  expect(store.messages.page(sessionId, undefined, 10).messages[0]).toMatchObject({
    streaming: false,
    parts: [{ type: 'text', text: 'one two three four' }],
  })
})

test('an attempt that is void is taken back, also where its message has to stay', () => {
  writer.delta('reasoning', 'hm')
  writer.discard()
  expect(events.at(-1)).toMatchObject({ type: 'messages-removed', fromSeq: 0 })

  writer.delta('reasoning', 'hm')
  store.messages.append({ sessionId, role: 'user', parts: [{ type: 'text', text: 'wait' }] })
  writer.discard()
  expect(events.at(-1)).toMatchObject({ type: 'message', message: { seq: 0, streaming: true, parts: [] } })
  expect(store.messages.page(sessionId, undefined, 10).messages[0]).toMatchObject({ streaming: true, parts: [] })

  writer.delta('text', 'again')
  writer.flush()
  expect(store.messages.page(sessionId, undefined, 10).messages.map(({ seq, parts }) => [seq, parts])).toEqual([
    [0, [{ type: 'text', text: 'again' }]],
    [1, [{ type: 'text', text: 'wait' }]],
  ])
})
