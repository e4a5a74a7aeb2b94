import { describe, expect, it } from 'vitest'
import { anthropicModel } from './anthropic'
import { newLessonBook } from './lessons'
import type { Model, ModelMessage } from './model'
import { openaiModel } from './openai'
import { askModel } from './request'
import { ask, callChunk, chat, collect, finish, type Reply, say, serve, sse, status } from './test-server'

const user: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Read a.txt' }] }
const called = (id: string): ModelMessage[] => [
  { role: 'assistant', text: '', calls: [{ id, name: 'Read', arguments: '{}' }] },
  { role: 'tool', callId: id, name: 'Read', content: [{ type: 'text', text: 'ok' }], isError: false },
]

/** Refuses answers that come back without thoughts; an empty text counts as none. */
const wantsThoughts =
  (words: string): Reply =>
  (response, request) => {
    const lacks = request.body.messages.some(
      (message: { role: string; reasoning_content?: string }) =>
        message.role === 'assistant' && !message.reasoning_content,
    )
    const error = { message: words, type: 'invalid_request_error', param: null, code: 'invalid_request_error' }
    return (lacks ? status(400, { error }) : chat(say('Done.'), finish('stop')))(response, request)
  }

describe('a server that wants thoughts back', () => {
  it.each([
    'Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to the guide.',
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    'preserved thinking requires reasoning_content on every assistant message, but assistant message at index 6 is missing reasoning_content',
  ])('takes answers that never had any: %s', async (words) => {
    await using server = await serve(wantsThoughts(words))
    // What an earlier refusal was taken for.
    const book = newLessonBook([['m', { refused: ['stream_options', 'reasoning_content'] }]])
    const model = openaiModel({ baseUrl: `${server.url}/v1`, key: () => null }, book)
    const native = { from: `chat ${new URL(server.url).host} m`, items: [{ reasoning_content: 'Hm.' }] }
    const thought = { ...called('b')[0], native } as ModelMessage
    const messages = [user, ...called('a'), thought, ...called('b').slice(1)]
    const events = await collect(model.stream(ask({ model: 'm', messages })))
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop' })
    const sent = server.requests.at(-1)?.body.messages.filter(({ role }: { role: string }) => role === 'assistant')
    expect(sent.map((each: { reasoning_content: string }) => each.reasoning_content)).toEqual([' ', 'Hm.'])
    expect(book.of('m')).toEqual({ wantsThoughts: true, refused: ['stream_options'] })
    await collect(model.stream(ask({ model: 'm', messages })))
    expect(server.requests).toHaveLength(3)
  })

  it('is not asked for ever', async () => {
    const error = { message: 'The `reasoning_content` in the thinking mode must be passed back to the API.' }
    await using server = await serve(status(400, { error }))
    const model = openaiModel({ baseUrl: `${server.url}/v1`, key: () => null })
    const events = await collect(model.stream(ask({ messages: [user, ...called('a')] })))
    expect(events).toMatchObject([{ type: 'error' }])
    expect(server.requests).toHaveLength(2)
  })
})

describe('an answer that was cut at the token limit', () => {
  const nativeOf = async (model: Model) => {
    const { signal, ...request } = ask()
    const limits = { maxIterations: 9, maxOutputTokens: 1000, firstByteMs: 20_000, idleMs: 20_000, attempts: 1 }
    const { answer } = await askModel(request, { model, modelName: 'm', ...limits, signal }, () => {})
    expect(answer.calls.every(({ refused }) => refused)).toBe(true)
    return answer.native?.items
  }

  it('keeps what is wanted back with the results of its calls', async () => {
    const thinking = { choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] }
    await using server = await serve(chat(thinking, callChunk('a', 'Write', { path: 'x' }), finish('length')))
    expect(await nativeOf(openaiModel({ baseUrl: server.url, key: () => null }))).toEqual([
      { reasoning_content: 'Hm.' },
    ])
  })

  it('keeps thoughts with their signatures, and not one that was cut itself', async () => {
    const thought = (index: number) => [
      { type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
    ]
    const signed = { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } }
    const call = { type: 'tool_use', id: 'a', name: 'Write', input: {} }
    const calling = { type: 'content_block_start', index: 1, content_block: call }
    const cut = [{ type: 'message_delta', delta: { stop_reason: 'max_tokens' } }, { type: 'message_stop' }]
    const all = [...thought(0), signed, calling, ...thought(2), ...cut]
    await using server = await serve((response) => void response.end(sse(...all)))
    expect(await nativeOf(anthropicModel({ baseUrl: server.url, key: () => null }))).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'tool_use' },
    ])
  })
})
