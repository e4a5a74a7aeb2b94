import { describe, expect, it } from 'vitest'
import { anthropicModel } from './anthropic'
import { acceptCalls } from './call-ids'
import type { Model } from './model'
import { openaiModel } from './openai'
import { askModel } from './request'
import { ask, callChunk, chat, collect, finish, type Reply, say, serve, sse } from './test-server'

const long = 'call_9f8b7c6d5e4f3a2b'

const callsOf = async (model: Model, over: { messages?: Parameters<typeof acceptCalls>[0] } = {}) => {
  const { signal, ...request } = ask(over)
  const options = {
    model,
    modelName: 'm',
    maxIterations: 9,
    maxOutputTokens: 1000,
    firstByteMs: 20_000,
    idleMs: 20_000,
  }
  const { answer } = await askModel(request, { ...options, attempts: 1, signal }, () => {})
  return answer.calls
}

const events =
  (...all: ({ type: string } & Record<string, unknown>)[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
  }

describe('a call of an answer that was cut at the token limit', () => {
  it('is not run (chat completions)', async () => {
    await using server = await serve(chat(callChunk('a', 'Write', { path: 'x' }), finish('length')))
    const calls = await callsOf(openaiModel({ baseUrl: server.url, key: () => null }))
    expect(calls).toMatchObject([{ id: 'a', refused: expect.stringContaining('cut off at the limit of 1000 tokens') }])
  })

  it.each(['max_tokens', 'model_context_window_exceeded'])('is not run (Anthropic, %s)', async (stop_reason) => {
    await using server = await serve(
      events(
        { type: 'message_start' },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'a', name: 'Write', input: {} },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"path":"x"}' } },
        { type: 'message_delta', delta: { stop_reason } },
        { type: 'message_stop' },
      ),
    )
    const calls = await callsOf(anthropicModel({ baseUrl: server.url, key: () => null }))
    expect(calls).toMatchObject([{ id: 'a', refused: expect.stringContaining('cut off') }])
  })
})

describe('a call of an answer that was stopped by a filter', () => {
  it('is not run (chat completions)', async () => {
    await using server = await serve(chat(say('I will.'), callChunk('a', 'Bash', {}), finish('content_filter')))
    expect(await callsOf(openaiModel({ baseUrl: server.url, key: () => null }))).toEqual([])
  })

  it('is not run (Anthropic)', async () => {
    await using server = await serve(
      events(
        { type: 'message_start' },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'a', name: 'Bash', input: {} },
        },
        { type: 'message_delta', delta: { stop_reason: 'refusal' } },
        { type: 'message_stop' },
      ),
    )
    expect(await callsOf(anthropicModel({ baseUrl: server.url, key: () => null }))).toEqual([])
  })
})

describe('a second call with an id that is already used', () => {
  const past = (id: string) => [
    { role: 'assistant' as const, text: '', calls: [{ id, name: 'Bash', arguments: '{}' }] },
  ]
  const call = (id: string) => ({ id, name: 'Bash', arguments: '{}' })

  it('is not run twice within an answer', () => {
    const accept = acceptCalls([])
    expect(accept(call('a'))).toEqual(call('a'))
    expect(accept(call('a'))).toMatchObject({
      id: expect.stringMatching(/^call_/),
      refused: expect.stringContaining('Not run'),
    })
    expect(accept(call(''))).not.toHaveProperty('refused')
  })

  it('is not run when an earlier answer had it', () => {
    expect(acceptCalls(past(long))(call(long))).toMatchObject({ refused: expect.stringContaining(long) })
  })

  it.each(['0', 'call_0', 'functions.Bash:3'])('is run where the server counts from zero in each answer: %s', (id) => {
    const accepted = acceptCalls(past(id))(call(id))
    expect(accepted.id).not.toBe(id)
    expect(accepted).not.toHaveProperty('refused')
  })
})

describe('usage that cannot be true', () => {
  it.each([
    [{ prompt_tokens: -5, completion_tokens: 3 }],
    [{ prompt_tokens: 5, completion_tokens: '3' }],
    [{ prompt_tokens: null, completion_tokens: null }],
  ])('is unknown: %j', async (usage) => {
    await using server = await serve(chat(say('ok', 'stop'), { choices: [], usage }))
    const all = await collect(openaiModel({ baseUrl: server.url, key: () => null }).stream(ask()))
    expect(all.map(({ type }) => type)).toEqual(['text', 'end'])
  })

  it('is unknown with Anthropic, too', async () => {
    await using server = await serve(
      events(
        { type: 'message_start', message: { usage: { input_tokens: -1, output_tokens: 2 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'ok' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ),
    )
    const all = await collect(anthropicModel({ baseUrl: server.url, key: () => null }).stream(ask()))
    expect(all.map(({ type }) => type)).toEqual(['text', 'end'])
  })

  it('never has more cached tokens than tokens', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 99 } }
    await using server = await serve(chat(say('ok', 'stop'), { choices: [], usage }))
    const all = await collect(openaiModel({ baseUrl: server.url, key: () => null }).stream(ask()))
    expect(all).toContainEqual({ type: 'usage', inputTokens: 10, outputTokens: 1, cachedTokens: 10 })
  })
})

it('names response headers that are too large', async () => {
  await using server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-padding': 'x'.repeat(20_000) })
    response.end(sse(say('ok', 'stop')))
  })
  const all = await collect(openaiModel({ baseUrl: server.url, key: () => null }).stream(ask()))
  expect(all).toMatchObject([
    { type: 'error', error: { kind: 'bad-response', message: expect.stringContaining('headers') } },
  ])
})
