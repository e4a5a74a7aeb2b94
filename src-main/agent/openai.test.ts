import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../tools/tool'
import type { ModelEvent, ModelMessage } from './model'
import { openaiModel } from './openai'
import { ask, callChunk, chat, collect, finish, type Reply, say, serve, sse, status } from './test-server'

const key = 'sk-test-0123456789abcdef'
const modelAt = (baseUrl: string) => openaiModel({ baseUrl, key: () => key })

const answersTo = async (reply: Reply) => {
  await using server = await serve(reply)
  return await collect(modelAt(server.url).stream(ask()))
}

const errorOf = (events: ModelEvent[]) => {
  const last = events.at(-1)
  if (last?.type !== 'error') throw new Error(`no error, but ${JSON.stringify(last)}`)
  return last
}

const raw =
  (text: string | Buffer, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
    response.end(text)
  }

describe('requests', () => {
  it('sends system, history, tools and limits, with the key in the header', async () => {
    await using server = await serve(chat(say('ok', 'stop')))
    const tool: ToolDefinition = { name: 'Read', description: 'Reads.', parameters: { type: 'object' } }
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
      },
      { role: 'assistant', text: '', calls: [{ id: 'a', name: 'Read', arguments: '{"path":"x"}' }] },
      {
        role: 'tool',
        callId: 'a',
        name: 'Read',
        content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }],
        isError: false,
      },
    ]
    await collect(modelAt(server.url).stream(ask({ messages, tools: [tool] })))
    const [request] = server.requests
    expect(request?.url).toBe('/v1/chat/completions')
    expect(request?.headers.authorization).toBe(`Bearer ${key}`)
    expect(request?.body).toEqual({
      model: 'test-model',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 1000,
      tools: [{ type: 'function', function: tool }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'Read', arguments: '{"path":"x"}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '(an image; it follows)' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Images from the result of Read:' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          ],
        },
      ],
    })
  })

  it('leaves out an empty list of tools', async () => {
    await using server = await serve(chat(say('ok', 'stop')))
    await collect(modelAt(`${server.url}/v1/`).stream(ask()))
    expect(server.requests[0]?.url).toBe('/v1/chat/completions')
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
  })

  it('repairs a history that providers would refuse', async () => {
    await using server = await serve(chat(say('ok', 'stop')))
    const text = (words: string) => [{ type: 'text' as const, text: words }]
    const messages: ModelMessage[] = [
      { role: 'tool', callId: 'lost', name: 'Read', content: text('no call'), isError: false },
      { role: 'user', content: text('hi \ud83c') },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'a', name: 'sh\u200bell', arguments: '{"command":"ls' },
          { id: 'b', name: 'Read', arguments: '' },
        ],
      },
      { role: 'tool', callId: 'b', name: 'Read', content: [], isError: false },
      { role: 'user', content: text('') },
      { role: 'assistant', text: 'Half of', calls: [] },
    ]
    await collect(modelAt(server.url).stream(ask({ system: '', messages })))
    expect(server.requests[0]?.body.messages).toEqual([
      { role: 'user', content: 'hi \ufffd' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'sh_ell', arguments: '{"unparsed":"{\\"command\\":\\"ls"}' } },
          { id: 'b', type: 'function', function: { name: 'Read', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'There is no result: the call did not run to its end.' },
      { role: 'tool', tool_call_id: 'b', content: '(no output)' },
      { role: 'assistant', content: 'Half of' },
      { role: 'user', content: 'Go on.' },
    ])
  })

  it('finds the address without /v1, and remembers it', async () => {
    await using server = await serve((response, request) =>
      (request.url.startsWith('/api/v1') ? status(404, '<h1>no</h1>') : chat(say('ok', 'stop')))(response, request),
    )
    const model = modelAt(`${server.url}/api`)
    await collect(model.stream(ask()))
    await collect(model.stream(ask()))
    expect(server.requests.map((request) => request.url)).toEqual([
      '/api/v1/chat/completions',
      '/api/chat/completions',
      '/api/chat/completions',
    ])
  })

  it('drops what the server complains about, once', async () => {
    await using server = await serve(
      status(400, { error: { message: "Use 'max_completion_tokens' instead.", code: 'unsupported_parameter' } }),
      status(400, { error: { message: 'unknown field stream_options' } }),
      chat(say('ok', 'stop')),
    )
    const model = modelAt(server.url)
    expect(await collect(model.stream(ask()))).toEqual([
      { type: 'text', text: 'ok' },
      { type: 'end', reason: 'stop' },
    ])
    await collect(model.stream(ask()))
    expect(server.requests).toHaveLength(4)
    expect(server.requests[3]?.body).toMatchObject({ max_completion_tokens: 1000 })
    expect(server.requests[3]?.body).not.toHaveProperty('max_tokens')
    expect(server.requests[3]?.body).not.toHaveProperty('stream_options')
  })

  it.each([
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 16384. This model's maximum context length is 8192 tokens and your request has 512 input tokens (16384 > 8192 - 512).",
      2048,
    ],
    [
      "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens (23616 in the messages, 16384 in the completion). Please reduce the length of the messages or completion.",
      8192,
    ],
    ['Prompt contains 900 tokens and max_tokens 16384, too large for model with 8192 maximum context length', 2048],
    ['max_tokens is too large: 16384. This model supports at most 4096 completion tokens.', 4096],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8192],
    [
      '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      8192,
    ],
  ])('asks for a shorter answer where one was too long: %s', async (message, longest) => {
    await using server = await serve(
      status(400, { error: { message, param: 'max_tokens' } }),
      chat(say('ok', 'stop')),
      chat(say('ok', 'stop')),
    )
    const model = modelAt(server.url)
    await collect(model.stream(ask({ maxOutputTokens: 16_384 })))
    await collect(model.stream(ask({ maxOutputTokens: 16_384 })))
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([16_384, longest, longest])
  })

  it('learns nothing of parameters from a conversation that is too long', async () => {
    const message =
      "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 8192 tokens and your request has 8000 input tokens."
    await using server = await serve(status(400, { error: { message, param: 'max_tokens' } }), chat(say('ok', 'stop')))
    const model = modelAt(server.url)
    expect(errorOf(await collect(model.stream(ask()))).error.kind).toBe('context-overflow')
    await collect(model.stream(ask()))
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([1000, 1000])
  })
})

describe('answers', () => {
  const usage = { prompt_tokens: 20, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 } }
  const whole = [
    { choices: [{ delta: { role: 'assistant', reasoning_content: 'Hmm. ' } }], extra: { unknown: true } },
    { choices: [{ delta: { reasoning: 'Yes.' } }] },
    say('Grüße '),
    say('🌊'),
    { choices: [{ delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'Read', arguments: '{"pa' } }] } }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: 'th":"a"}' } }] } }] },
    callChunk('c2', 'Grep', { pattern: 'é' }, 1),
    finish('tool_calls'),
    { choices: [], usage },
  ]
  const events: ModelEvent[] = [
    { type: 'reasoning', text: 'Hmm. ' },
    { type: 'reasoning', text: 'Yes.' },
    { type: 'text', text: 'Grüße ' },
    { type: 'text', text: '🌊' },
    { type: 'call', call: { id: 'c1', name: 'Read', arguments: '{"path":"a"}' } },
    { type: 'call', call: { id: 'c2', name: 'Grep', arguments: '{"pattern":"é"}' } },
    {
      type: 'native',
      native: { from: expect.stringMatching(/^chat /) as unknown as string, items: [{ reasoning_content: 'Hmm. ' }] },
    },
    { type: 'usage', inputTokens: 20, outputTokens: 5, cachedTokens: 8 },
    { type: 'end', reason: 'stop' },
  ]

  it('reads text, reasoning, calls in pieces and usage', async () => {
    expect(await answersTo(chat(...whole))).toEqual(events)
  })

  it('reads the same byte by byte, with comments, retry and id lines between', async () => {
    const text = `: hello\nretry: 10\nid: 3\n${sse(...whole).replaceAll('\n\n', '\n: ping\n\n')}data: [DONE]\n\n`
    const reply: Reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.socket?.setNoDelay(true)
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.from([byte]))
        await new Promise(setImmediate)
      }
      response.end()
    }
    expect(await answersTo(reply)).toEqual(events)
  })

  it('reads a compressed stream, a wrong content type and a stream without [DONE]', async () => {
    expect(await answersTo(raw(gzipSync(sse(...whole)), { 'content-encoding': 'gzip' }))).toEqual(events)
    expect(await answersTo(raw(sse(...whole), { 'content-type': 'application/json' }))).toEqual(events)
    expect(await answersTo(raw(sse(...whole).trimEnd(), { 'content-type': 'text/html' }))).toEqual(events)
  })

  it('accepts a plain JSON answer to a streaming request', async () => {
    const message = {
      content: 'Hi',
      tool_calls: [{ id: 'x', type: 'function', function: { name: 'List', arguments: { path: '.' } } }],
    }
    expect(await answersTo(status(200, { choices: [{ message, finish_reason: 'tool_calls' }], usage }))).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'call', call: { id: 'x', name: 'List', arguments: '{"path":"."}' } },
      { type: 'usage', inputTokens: 20, outputTokens: 5, cachedTokens: 8 },
      { type: 'end', reason: 'stop' },
    ])
  })

  const callsOf = async (...deltas: unknown[]) => {
    const all = await answersTo(chat(...deltas.map((delta) => ({ choices: [{ delta }] })), finish('stop')))
    return all.flatMap((event) => (event.type === 'call' ? [event.call] : []))
  }

  it('tells whole calls apart when the index is always 0 or missing', async () => {
    const first = { id: 'a', function: { name: 'Read', arguments: '{"path":"1"}' } }
    const second = { id: 'b', function: { name: 'Read', arguments: '{"path":"2"}' } }
    const expected = [
      { id: 'a', name: 'Read', arguments: '{"path":"1"}' },
      { id: 'b', name: 'Read', arguments: '{"path":"2"}' },
    ]
    expect(await callsOf({ tool_calls: [first, second] })).toEqual(expected)
    expect(await callsOf({ tool_calls: [{ index: 0, ...first }] }, { tool_calls: [{ index: 0, ...second }] })).toEqual(
      expected,
    )
    const { id: _a, ...nameless } = first
    const { id: _b, ...alsoNameless } = second
    expect(await callsOf({ tool_calls: [nameless] }, { tool_calls: [alsoNameless] })).toEqual(
      expected.map((call) => ({ ...call, id: '' })),
    )
  })

  it('knows the older function_call, pieces without index, and calls without arguments', async () => {
    expect(await callsOf({ function_call: { name: 'Time', arguments: '' } })).toEqual([
      { id: '', name: 'Time', arguments: '{}' },
    ])
    expect(
      await callsOf(
        { tool_calls: [{ id: 'a', function: { name: 'Read' } }] },
        { tool_calls: [{ function: { arguments: '{"path":' } }] },
        { tool_calls: [{ function: { arguments: '"x"}' } }] },
      ),
    ).toEqual([{ id: 'a', name: 'Read', arguments: '{"path":"x"}' }])
  })

  it('finds a thought that the prompt has begun by its end', async () => {
    const said = async (...pieces: string[]) => {
      let [text, thought] = ['', '']
      for (const event of await answersTo(chat(...pieces.map((piece) => say(piece)), finish('stop')))) {
        if (event.type === 'text') text += event.text
        if (event.type === 'was-thought') [text, thought] = ['', event.text]
      }
      return [thought, text]
    }
    const whole = 'Let me see.\nYes.\n</think>\n\nIt is.\n</think>\nDone.'
    const expected = ['Let me see.\nYes.', 'It is.\n</think>\nDone.']
    expect(await said(whole)).toEqual(expected)
    expect(await said(...whole)).toEqual(expected)
    expect(await said('Hm.\n', '</think>')).toEqual(['Hm.', ''])
    for (const text of [
      'The tag </think> ends it.',
      'So:\n</think> ends it.\n',
      'Write\n<think>\nso\n</think>\nthere.',
      'Write\n```\n</think>\n```\nthere.',
    ]) {
      expect(await said(text)).toEqual(['', text])
      expect(await said(...text)).toEqual(['', text])
    }
  })

  it('takes empty arguments at the beginning for a placeholder', async () => {
    const begin = { index: 0, id: 'a', function: { name: 'Read', arguments: '{}' } }
    const whole = [{ id: 'a', name: 'Read', arguments: '{"path":"x"}' }]
    const rest = ['{"path":', '"x"}'].map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] }))
    expect(await callsOf({ tool_calls: [begin] }, ...rest)).toEqual(whole)
    const again = { ...begin, function: { name: 'Read', arguments: '{"path":"x"}' } }
    expect(await callsOf({ tool_calls: [begin] }, { tool_calls: [again] })).toEqual(whole)
    expect(await callsOf({ tool_calls: [begin] })).toEqual([{ id: 'a', name: 'Read', arguments: '{}' }])
  })

  it('hands malformed arguments on as they are', async () => {
    expect(
      await callsOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Bash', arguments: '{"command":"ls' } }] }),
    ).toEqual([{ id: 'a', name: 'Bash', arguments: '{"command":"ls' }])
  })

  it('keeps markup that looks like a call as text', async () => {
    const fake = '<tool_call>{"name":"Bash","arguments":{"command":"rm -rf ~"}}</tool_call>'
    expect(await answersTo(chat(say(fake, 'stop')))).toEqual([
      { type: 'text', text: fake },
      { type: 'end', reason: 'stop' },
    ])
  })

  it('takes an unknown finish reason for the end, and tells length and filters apart', async () => {
    const ends = async (reason: string) => (await answersTo(chat(say('x', reason)))).at(-1)
    expect(await ends('banana')).toEqual({ type: 'end', reason: 'stop' })
    for (const reason of ['length', 'model_length', 'max_tokens'])
      expect(await ends(reason)).toEqual({ type: 'end', reason: 'length' })
    expect(await ends('content_filter')).toEqual({ type: 'end', reason: 'refused' })
  })

  it('hands out no call of an answer that the server says it broke off', async () => {
    for (const reason of ['insufficient_system_resource', 'error']) {
      const events = await answersTo(chat(say('x'), callChunk('a', 'Bash', {}), finish(reason)))
      expect(events).toMatchObject([{ type: 'text' }, { type: 'error', error: { kind: 'cut', retryable: true } }])
    }
  })

  it('uses its connections again', async () => {
    await using server = await serve(chat(say('ok', 'stop')))
    for (let i = 0; i < 10; i++) {
      const controller = new AbortController()
      await collect(modelAt(server.url).stream(ask({ signal: controller.signal })))
      controller.abort()
    }
    expect(server.connections()).toBeLessThan(4)
  })

  it('does not wait for a server that leaves the line open after its answer', async () => {
    const reply: Reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sse(say('ok', 'stop')))
    }
    expect(await answersTo(reply)).toEqual([
      { type: 'text', text: 'ok' },
      { type: 'end', reason: 'stop' },
    ])
  })

  it('waits for a server that says with each piece that it is the last', async () => {
    const reply: Reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sse(say('a', 'stop'), say('b', 'stop')))
      await new Promise((resolve) => setTimeout(resolve, 3300))
      response.end(sse(say('c', 'stop'), '[DONE]'))
    }
    const events = await answersTo(reply)
    expect(events.map((event) => (event.type === 'text' ? event.text : event.type))).toEqual(['a', 'b', 'c', 'end'])
  })

  it('does without choices and usage', async () => {
    expect(await answersTo(chat({}, { choices: [] }, { choices: [{}] }))).toEqual([{ type: 'end', reason: 'stop' }])
  })
})

describe('failures', () => {
  it('says in words what each status means, and for whom', async () => {
    const kinds: [number, unknown, string][] = [
      [401, { error: { message: 'Incorrect API key' } }, 'auth'],
      [403, { error: { message: 'Forbidden' } }, 'auth'],
      [402, { error: { message: 'Pay' } }, 'quota'],
      [
        404,
        { error: { message: 'The model `test-model` does not exist', code: 'model_not_found' } },
        'model-not-found',
      ],
      [404, { error: 'model "test-model" not found, try pulling it first' }, 'model-not-found'],
      [404, '<html><h1>Not Found</h1></html>', 'bad-response'],
      [413, 'too large', 'context-overflow'],
      [400, { error: { message: 'Too long', code: 'context_length_exceeded' } }, 'context-overflow'],
      [
        400,
        { error: { type: 'exceed_context_size_error', message: 'the request exceeds the available context size' } },
        'context-overflow',
      ],
      [400, { detail: [{ msg: 'bad field' }] }, 'bad-response'],
      [429, { error: { message: 'Slow down' } }, 'rate-limit'],
      [429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }, 'quota'],
      [500, { error: { message: 'Oops' } }, 'server'],
      [502, '<html><body>Bad gateway</body></html>', 'server'],
      [503, '', 'server'],
      [529, { error: { message: 'Overloaded' } }, 'server'],
    ]
    for (const [code, body, kind] of kinds) {
      const { error } = errorOf(await answersTo(status(code, body)))
      expect([code, error.kind]).toEqual([code, kind])
      expect(error.message).not.toMatch(/[<>]/)
    }
  })

  it('hands on how long the provider wants to be left alone', async () => {
    const wait = async (headers: Record<string, string>) =>
      errorOf(await answersTo(status(429, {}, headers))).retryAfterMs
    expect(await wait({ 'retry-after': '7' })).toBe(7000)
    expect(await wait({ 'retry-after-ms': '250' })).toBe(250)
    expect(await wait({ 'retry-after': new Date(Date.now() - 5000).toUTCString() })).toBe(0)
    expect(await wait({})).toBeUndefined()
  })

  it('never repeats a key that the server echoes', async () => {
    const echoes = [
      `Invalid header Authorization: Bearer ${key}`,
      `You sent ${key}`,
      `headers: {"x-api-key": "abcdef0123456789"}`,
      'Incorrect API key provided: sk-other***************cdef.',
    ]
    for (const message of echoes) {
      const { error } = errorOf(await answersTo(status(401, { error: { message } })))
      expect(error.message).toContain('[hidden]')
      expect(error.message).not.toMatch(/0123456789|cdef/)
    }
    const events = await collect(openaiModel({ baseUrl: 'http://127.0.0.1:1', key: () => `${key}\nx` }).stream(ask()))
    expect(errorOf(events).error).toMatchObject({ kind: 'auth' })
    expect(JSON.stringify(events)).not.toContain(key)
  })

  it('follows no redirect', async () => {
    await using other = await serve(chat(say('stolen', 'stop')))
    const { error } = errorOf(await answersTo(status(307, '', { location: `${other.url}/v1/chat/completions` })))
    expect(error.kind).toBe('bad-response')
    expect(other.requests).toEqual([])
  })

  it('reports a stream that is cut inside an event, and hands out no call of it', async () => {
    const events = await answersTo((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`${sse(say('Half'), callChunk('c', 'Bash', { command: 'ls' }))}data: {"cho`, () =>
        response.destroy(),
      )
    })
    expect(events.map((event) => event.type)).toEqual(['text', 'error'])
    expect(errorOf(events).error).toMatchObject({ kind: 'cut', retryable: true })
  })

  it('reports a stream that ends politely but too soon', async () => {
    expect(errorOf(await answersTo(raw(sse(say('Half'))))).error.kind).toBe('cut')
    expect(errorOf(await answersTo(raw(`${sse(say('Half'))}data: {"cho`))).error.kind).toBe('cut')
    expect(errorOf(await answersTo(raw(''))).error.kind).toBe('cut')
  })

  it('reports an error inside a stream', async () => {
    const inside = async (error: unknown) => errorOf(await answersTo(raw(sse(say('Half'), { error })))).error.kind
    expect(await inside({ message: 'Overloaded', type: 'overloaded_error' })).toBe('server')
    expect(await inside({ message: 'slow', code: 429 })).toBe('rate-limit')
    expect(await inside({ message: 'slow', type: 'rate_limit_exceeded' })).toBe('rate-limit')
    expect(await inside('Something broke')).toBe('server')
    expect(errorOf(await answersTo(status(200, { error: { message: 'in a 200' } }))).error.message).toContain(
      'in a 200',
    )
  })

  it('reports an error that is the whole of a body', async () => {
    const told = async (body: object) => errorOf(await answersTo(status(200, body))).error.message
    expect(await told({ detail: 'The model is asleep.' })).toContain('It said: The model is asleep.')
    expect(await told({ object: 'error', message: 'Bad thing.', code: 400 })).toContain('(400). It said: Bad thing.')
  })

  it('reports a page or a plain text in place of an answer', async () => {
    const page = errorOf(await answersTo(raw('<!doctype html><title>Log in</title>'))).error
    expect(page.kind).toBe('bad-response')
    expect(page.message).toContain('Log in')
    expect(errorOf(await answersTo(raw('upstream is down'))).error.message).toContain('upstream is down')
    expect(errorOf(await answersTo(raw('{"choices": [broken'))).error.kind).toBe('bad-response')
  })

  it('gives up on a line without end, also when it was packed small', async () => {
    const { error } = errorOf(
      await answersTo(raw(gzipSync(`data: ${'x'.repeat(20_000_000)}`), { 'content-encoding': 'gzip' })),
    )
    expect(error.kind).toBe('bad-response')
    expect(error.message).toContain('MB')
  })

  it('names the host that does not answer', async () => {
    const server = await serve(chat())
    await server[Symbol.asyncDispose]()
    const refused = errorOf(await collect(modelAt(server.url).stream(ask()))).error
    expect(refused).toMatchObject({ kind: 'network', message: `Could not connect to 127.0.0.1:${server.port}.` })
    const unknown = errorOf(await collect(modelAt('http://no-such-host.invalid').stream(ask()))).error
    expect(unknown.kind).toBe('network')
    expect(unknown.message).toContain('no-such-host.invalid')
    expect(errorOf(await collect(modelAt('not a url').stream(ask()))).error.kind).toBe('network')
  })

  it('ends with nothing when it is aborted', async () => {
    await using server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sse(say('one')))
    })
    const controller = new AbortController()
    const events: ModelEvent[] = []
    for await (const event of modelAt(server.url).stream(ask({ signal: controller.signal }))) {
      events.push(event)
      controller.abort()
    }
    expect(events).toEqual([{ type: 'text', text: 'one' }])
  })
})
