import { describe, expect, it } from 'vitest'
import { anthropicModel } from './anthropic'
import type { ModelEvent, ModelMessage } from './model'
import { ask, collect, type Reply, serve, status } from './test-server'

const key = 'sk-ant-0123456789abcdef'
const modelAt = (baseUrl: string) => anthropicModel({ baseUrl, key: () => key })
const text = (words: string) => [{ type: 'text' as const, text: words }]

const stream = (...events: Record<string, unknown>[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const raw =
  (body: string): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(body)
  }

const start = {
  type: 'message_start',
  message: {
    usage: { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 1 },
  },
}
const block = (index: number, content_block: unknown) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, value: unknown) => ({ type: 'content_block_delta', index, delta: value })
const stop = (reason: string) => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 42 } },
  { type: 'message_stop' },
]

const thinkingAnswer = [
  start,
  { type: 'ping' },
  block(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'Let me see.' }),
  delta(0, { type: 'signature_delta', signature: 'c2ln' }),
  { type: 'content_block_stop', index: 0 },
  block(1, { type: 'text', text: '' }),
  delta(1, { type: 'text_delta', text: 'Reading.' }),
  block(2, { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }),
  delta(2, { type: 'input_json_delta', partial_json: '' }),
  delta(2, { type: 'input_json_delta', partial_json: '{"path":' }),
  delta(2, { type: 'input_json_delta', partial_json: '"a.ts"}' }),
  { type: 'something_new', index: 2 },
  ...stop('tool_use'),
]

const events: ModelEvent[] = [
  { type: 'reasoning', text: 'Let me see.' },
  { type: 'text', text: 'Reading.' },
  {
    type: 'native',
    native: {
      from: expect.stringMatching(/^messages 127\.0\.0\.1:\d+ test-model$/) as unknown as string,
      items: [
        { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
        { type: 'text', chars: 8 },
        { type: 'tool_use' },
      ],
    },
  },
  { type: 'call', call: { id: 'toolu_1', name: 'Read', arguments: '{"path":"a.ts"}' } },
  { type: 'usage', inputTokens: 45, outputTokens: 42, cachedTokens: 30, cacheWriteTokens: 5 },
  { type: 'end', reason: 'stop' },
]

const answersTo = async (reply: Reply) => {
  await using server = await serve(reply)
  return await collect(modelAt(server.url).stream(ask()))
}

describe('answers', () => {
  it('reads text, thinking, calls and usage, and passes over pings and news', async () => {
    expect(await answersTo(raw(stream(...thinkingAnswer)))).toEqual(events)
  })

  it('reads the same byte by byte', async () => {
    const reply: Reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const byte of Buffer.from(stream(...thinkingAnswer))) {
        response.write(Buffer.from([byte]))
        await new Promise(setImmediate)
      }
      response.end()
    }
    expect(await answersTo(reply)).toEqual(events)
  })

  it('accepts a plain JSON answer', async () => {
    const reply = status(200, {
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'toolu_9', name: 'List', input: { path: '.' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 4 },
    })
    expect(await answersTo(reply)).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'call', call: { id: 'toolu_9', name: 'List', arguments: '{"path":"."}' } },
      { type: 'usage', inputTokens: 3, outputTokens: 4, cachedTokens: 0 },
      { type: 'end', reason: 'stop' },
    ])
  })

  it('reads blocks that begin with what they hold, and a call that comes twice', async () => {
    const begin = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
    const json = (partial_json: string) => ({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json },
    })
    const call = begin(1, { type: 'tool_use', id: 'a', name: 'Read', input: { path: 'x' } })
    const thought = begin(0, { type: 'thinking', thinking: 'Hm.', signature: 's' })
    const events = await answersTo(
      raw(stream(start, thought, call, json('{"pa'), json('th":"x"}'), ...stop('tool_use'))),
    )
    expect(events[0]).toEqual({ type: 'reasoning', text: 'Hm.' })
    expect(events.find(({ type }) => type === 'call')).toEqual({
      type: 'call',
      call: { id: 'a', name: 'Read', arguments: '{"path":"x"}' },
    })
  })

  it('tells how an answer ended', async () => {
    const ends = async (reason: string) => (await answersTo(raw(stream(start, ...stop(reason))))).at(-1)
    expect(await ends('max_tokens')).toEqual({ type: 'end', reason: 'length' })
    expect(await ends('refusal')).toEqual({ type: 'end', reason: 'refused' })
    expect(await ends('banana')).toEqual({ type: 'end', reason: 'stop' })
  })
})

describe('requests', () => {
  it('alternates roles, answers every call and marks what to cache', async () => {
    await using server = await serve(raw(stream(start, ...stop('end_turn'))))
    const messages: ModelMessage[] = [
      { role: 'user', content: text('one') },
      { role: 'user', content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
      {
        role: 'assistant',
        text: 'Two things. ',
        calls: [
          { id: 'call:1', name: 'Read', arguments: '{"path":"x"}' },
          { id: 'b', name: 'Bash', arguments: '{"command":' },
        ],
      },
      {
        role: 'tool',
        callId: 'call:1',
        name: 'Read',
        content: [...text('see'), { type: 'image', data: 'aGk=', mimeType: 'image/png' }],
        isError: false,
      },
      { role: 'user', content: text('and?') },
    ]
    const tools = [{ name: 'Read', description: 'Reads.', parameters: { type: 'object' } }]
    await collect(modelAt(`${server.url}/v1`).stream(ask({ messages, tools })))
    const [request] = server.requests
    expect(request?.url).toBe('/v1/messages')
    expect(request?.headers).toMatchObject({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
    const id = request?.body.messages[1].content[1].id
    expect(id).toMatch(/^call_[0-9a-f]{24}$/)
    expect(request?.body).toEqual({
      model: 'test-model',
      max_tokens: 1000,
      stream: true,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      tools: [
        { name: 'Read', description: 'Reads.', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { ...image, cache_control: { type: 'ephemeral' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Two things.' },
            { type: 'tool_use', id, name: 'Read', input: { path: 'x' } },
            { type: 'tool_use', id: 'b', name: 'Bash', input: { unparsed: '{"command":' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: 'see' }, image] },
            {
              type: 'tool_result',
              tool_use_id: 'b',
              content: [{ type: 'text', text: 'There is no result: the call did not run to its end.' }],
              is_error: true,
            },
            { type: 'text', text: 'and?', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    })
  })

  const afterCall: ModelMessage[] = [
    { role: 'user', content: text('read') },
    { role: 'assistant', text: 'Reading.', calls: [{ id: 'toolu_1', name: 'Read', arguments: '{"path":"a.ts"}' }] },
    { role: 'tool', callId: 'toolu_1', name: 'Read', content: text('…'), isError: false },
  ]

  const withThoughts = (url: string): ModelMessage[] =>
    afterCall.map((message) =>
      message.role === 'assistant'
        ? {
            ...message,
            native: {
              from: `messages ${new URL(url).host} claude-sonnet-4-5`,
              items: [
                { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
                { type: 'text', chars: message.text.length },
                { type: 'tool_use' },
              ],
            },
          }
        : message,
    )

  it('hands thinking back with its signature while calls are answered', async () => {
    await using server = await serve(raw(stream(...thinkingAnswer)))
    const model = modelAt(server.url)
    await collect(model.stream(ask({ model: 'claude-sonnet-4-5', effort: 'low' })))
    await collect(model.stream(ask({ model: 'claude-sonnet-4-5', effort: 'low', messages: withThoughts(server.url) })))
    expect(server.requests[1]?.body).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 2000 },
      max_tokens: 3000,
    })
    expect(server.requests[1]?.body.messages[1].content[0]).toEqual({
      type: 'thinking',
      thinking: 'Let me see.',
      signature: 'c2ln',
    })
  })

  it('leaves thinking off in the middle of calls whose thoughts are lost', async () => {
    await using server = await serve(raw(stream(start, ...stop('end_turn'))))
    await collect(modelAt(server.url).stream(ask({ model: 'claude-sonnet-4-5', effort: 'high', messages: afterCall })))
    expect(server.requests[0]?.body).not.toHaveProperty('thinking')
  })

  it('learns the limits of an older model from its refusals', async () => {
    const refuse = (message: string) =>
      status(400, { type: 'error', error: { type: 'invalid_request_error', message } })
    await using server = await serve(
      refuse('max_tokens: 9000 > 4096, which is the maximum allowed number of output tokens'),
      refuse('thinking: this model does not support it'),
      refuse('adaptive thinking is not supported on this model'),
      raw(stream(start, ...stop('end_turn'))),
    )
    await collect(modelAt(server.url).stream(ask({ model: 'claude-sonnet-4-5', effort: 'medium' })))
    expect(server.requests.map(({ body }) => body.thinking?.type)).toEqual([
      'enabled',
      'enabled',
      'adaptive',
      undefined,
    ])
    expect(server.requests[3]?.body).toMatchObject({ max_tokens: 1000 })
  })
})

describe('failures', () => {
  const kindOf = async (reply: Reply) => {
    const last = (await answersTo(reply)).at(-1)
    return last?.type === 'error' ? last.error.kind : last?.type
  }
  const error = (type: string, message: string) => ({ type: 'error', error: { type, message } })

  it('says what each status means', async () => {
    expect(await kindOf(status(401, error('authentication_error', 'invalid x-api-key')))).toBe('auth')
    expect(await kindOf(status(400, error('invalid_request_error', 'Your credit balance is too low')))).toBe('quota')
    expect(await kindOf(status(400, error('invalid_request_error', 'prompt is too long: 210000 tokens')))).toBe(
      'context-overflow',
    )
    expect(await kindOf(status(404, error('not_found_error', 'model: claude-none')))).toBe('model-not-found')
    expect(await kindOf(status(413, error('request_too_large', 'too large')))).toBe('context-overflow')
    expect(await kindOf(status(429, error('rate_limit_error', 'slow')))).toBe('rate-limit')
    expect(await kindOf(status(529, error('overloaded_error', 'Overloaded')))).toBe('server')
  })

  it('reports errors and cuts inside a stream, without handing out calls', async () => {
    expect(await kindOf(raw(stream(start, error('overloaded_error', 'Overloaded'))))).toBe('server')
    const cut = await answersTo(raw(stream(...thinkingAnswer.slice(0, -2))))
    expect(cut.map((event) => event.type)).toEqual(['reasoning', 'text', 'error'])
    expect(await kindOf(raw(`${stream(start)}event: content_bl`))).toBe('cut')
  })
})
