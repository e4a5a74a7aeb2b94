import { expect, test } from 'vitest'
import type { DeckhandEvent } from '../src-preload/contract/events'
import { createEventBatch } from './event-batch'

const delta = (text: string): DeckhandEvent => ({
  type: 'delta',
  sessionId: 's',
  messageId: 'm',
  partIndex: 0,
  kind: 'text',
  text,
})

test('events of one pass travel together, and those before an answer travel before it', async () => {
  const sent: unknown[] = []
  const batch = createEventBatch((events) =>
    sent.push(events.map((event) => (event.type === 'delta' ? event.text : event.type))),
  )
  batch.add(delta('a'))
  batch.add(delta('b'))
  expect(sent).toEqual([])
  batch.flush()
  sent.push('answer')
  batch.add(delta('c'))
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(sent).toEqual([['a', 'b'], 'answer', ['c']])
})
