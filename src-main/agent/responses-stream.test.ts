import { describe, expect, it } from 'vitest'
import { newLessonBook } from './lessons'
import { openaiModel } from './openai'
import { ask, collect, serve, sse } from './test-server'

const answersTo = async (...events: object[]) => {
  await using server = await serve((response) => void response.end(sse(...events)))
  const book = newLessonBook([['test-model', { api: 'responses' }]])
  const all = await collect(openaiModel({ baseUrl: `${server.url}/v1`, key: () => null }, book).stream(ask()))
  return {
    text: all.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    calls: all.flatMap((event) => (event.type === 'call' ? [`${event.call.id} ${event.call.arguments}`] : [])),
    tokens: all.flatMap((event) => (event.type === 'usage' ? [event.inputTokens] : [])),
    last: all.at(-1),
  }
}

const message = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }
const call = (id: string, text = '{"a":1}') => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'Read',
  arguments: text,
})
const delta = (output_index?: number) => ({ type: 'response.output_text.delta', delta: 'Hi', output_index })
const added = (item: object, output_index?: number) => ({ type: 'response.output_item.added', item, output_index })
const done = (item: object, output_index?: number) => ({ type: 'response.output_item.done', item, output_index })
const completed = (...output: object[]) => ({
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', output, usage: { input_tokens: 5, output_tokens: 2 } },
})
const pieces = ['{"a"', ':1}'].map((text) => ({
  type: 'response.function_call_arguments.delta',
  delta: text,
  output_index: 1,
}))
const whole = { type: 'response.function_call_arguments.done', arguments: '{"a":1}', output_index: 1 }

const answer = (...calls: string[]) => ({ text: 'Hi', calls, tokens: [5], last: { type: 'end', reason: 'stop' } })

describe('servers that leave something out', () => {
  it('has a call that only the end of the answer lists', async () => {
    const events = [delta(0), done(message, 0), completed(message, call('a'))]
    expect(await answersTo(...events)).toEqual(answer('a {"a":1}'))
    const one = [delta(0), done(message, 0), done(call('a'), 1), completed(message, call('a'), call('b'))]
    expect(await answersTo(...one)).toEqual(answer('a {"a":1}', 'b {"a":1}'))
    const begun = [delta(0), done(message, 0), added(call('a', ''), 1), completed(message, call('a'))]
    expect(await answersTo(...begun)).toEqual(answer('a {"a":1}'))
    const neither = [delta(0), added(call('a', ''), 1), completed(message, call('a'))]
    expect(await answersTo(...neither)).toEqual(answer('a {"a":1}'))
  })

  it('has every item where none has a number', async () => {
    const events = [delta(), done(message), done(call('a')), done(call('b')), completed()]
    expect(await answersTo(...events)).toEqual(answer('a {"a":1}', 'b {"a":1}'))
  })

  it('has arguments that do not come with the item, and an item that is not ended', async () => {
    const begun = [delta(0), done(message, 0), added(call('a', ''), 1)]
    expect(await answersTo(...begun, whole, done(call('a', ''), 1), completed())).toEqual(answer('a {"a":1}'))
    expect(await answersTo(...begun, ...pieces, completed())).toEqual(answer('a {"a":1}'))
  })
})

it('does not tell an answer again whose end comes twice', async () => {
  const end = completed(message, call('a'))
  const events = [delta(0), done(message, 0), done(call('a'), 1), end]
  expect(await answersTo(...events, end)).toEqual(answer('a {"a":1}'))
  expect(await answersTo(...events, { ...end, type: 'response.done' })).toEqual(answer('a {"a":1}'))
})

it('takes calls once whose ids change from one event to the next', async () => {
  const events = [delta(0), done(message, 0), done(call('a'), 1), completed(message, call('rotated'))]
  expect(await answersTo(...events)).toEqual(answer('a {"a":1}'))
})
