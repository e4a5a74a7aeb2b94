import { describe, expect, it } from 'vitest'
import type { Effort } from '../../src-preload/contract/models'
import { anthropicModel } from './anthropic'
import { type Lesson, newLessonBook } from './lessons'
import type { Model, ModelMessage, NativeAnswer } from './model'
import { openaiModel } from './openai'
import { ask, collect } from './test-server'
import { claude, type Generation } from './testing/anthropic-vendor'
import { chatEndpoint, responsesEndpoint, toolsNeedResponses, unsupported } from './testing/openai-vendors'
import { claudeRefusal, type Endpoint, refusal, serveVendor } from './testing/vendors'

const tools = [{ name: 'Read', description: 'Reads.', parameters: { type: 'object' } }]
const user: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Read a.txt' }] }

/** A whole turn: thoughts and a call, its result, and the answer. What is kept in between goes through JSON, as on disk. */
const playTurn = async (make: () => Model, model: string, effort?: Effort, first: ModelMessage[] = [user]) => {
  const request = { model, tools, ...(effort && { effort }) }
  const began = await collect(make().stream(ask({ ...request, messages: first })))
  const words = (type: 'text' | 'reasoning') => began.map((event) => (event.type === type ? event.text : '')).join('')
  const calls = began.flatMap((event) => (event.type === 'call' ? [event.call] : []))
  const native = began.find((event) => event.type === 'native')?.native
  const kept = native && (JSON.parse(JSON.stringify(native)) as NativeAnswer)
  const results = calls.map(
    ({ id, name }): ModelMessage => ({
      role: 'tool',
      callId: id,
      name,
      content: [{ type: 'text', text: 'ok' }],
      isError: false,
    }),
  )
  const said: ModelMessage = { role: 'assistant', text: words('text'), calls, ...(kept && { native: kept }) }
  const after = (past: ModelMessage[]) =>
    collect(make().stream(ask({ ...request, messages: [...past, said, ...results] })))
  const ended = await after(first)
  return {
    reasoning: words('reasoning'),
    calls,
    ended: ended.map((event) => (event.type === 'text' ? event.text : event.type)),
    after,
  }
}

const done = ['Done.', 'usage', 'end']

interface Case {
  name: string
  model: string
  paths: Record<string, Endpoint>
  effort?: Effort
  knows?: Lesson
  /** Paths of the requests that were taken, in order. */
  taken: string[]
  /** How many were refused before, and taught something. */
  refusals: number
}

const chat = '/chat/completions'
const thinking = [{ reasoning_content: 'Hm.' }]
const gpt54 = chatEndpoint({
  thoughts: [],
  check: (body) => {
    if ('max_tokens' in body)
      return refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      )
    return body.tools && body.reasoning_effort ? toolsNeedResponses('gpt-5.4') : null
  },
})
const gpt56 = chatEndpoint({
  thoughts: [],
  check: (body) => (body.tools && body.reasoning_effort !== 'none' ? toolsNeedResponses('gpt-5.6') : null),
})
const openaiResponses = responsesEndpoint({
  encrypted: 'gAAAAA-encrypted',
  check: (body) => {
    if (body.store !== false) return refusal('store must be false', 'store')
    if (!body.include?.includes('reasoning.encrypted_content'))
      return refusal('nothing encrypted was asked for', 'include')
    return body.max_tokens || body.messages ? unsupported('messages') : null
  },
})

const cases: Case[] = [
  {
    name: 'gpt-5.4 with an effort',
    model: 'gpt-5.4',
    effort: 'high',
    paths: { [chat]: gpt54, '/responses': openaiResponses },
    taken: ['/responses', '/responses'],
    refusals: 2,
  },
  {
    name: 'gpt-5.4 without an effort stays with chat',
    model: 'gpt-5.4',
    paths: { [chat]: gpt54 },
    taken: [chat, chat],
    refusals: 1,
  },
  {
    name: 'gpt-5.6, which never takes tools by chat',
    model: 'gpt-5.6',
    paths: { [chat]: gpt56, '/responses': openaiResponses },
    taken: ['/responses', '/responses'],
    refusals: 1,
  },
  {
    name: 'gpt-6 known by name',
    model: 'gpt-6-sol',
    knows: { api: 'responses' },
    effort: 'xhigh',
    paths: { '/responses': openaiResponses },
    taken: ['/responses', '/responses'],
    refusals: 0,
  },
  {
    name: 'gpt-5.6 behind a gateway that has chat only',
    model: 'gpt-5.6',
    paths: { [chat]: gpt56 },
    taken: [chat, chat],
    refusals: 3,
  },
  {
    name: 'a gateway without Responses, for a model that is likely to want it',
    model: 'gpt-5',
    knows: { api: 'responses' },
    paths: { [chat]: chatEndpoint({ thoughts: [] }) },
    taken: [chat, chat],
    refusals: 1,
  },
  {
    name: 'o1-pro, which is not there by chat at all',
    model: 'o1-pro',
    paths: {
      [chat]: () => ({
        refuse: {
          status: 404,
          body: {
            error: {
              message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
              type: 'invalid_request_error',
              param: 'model',
              code: null,
            },
          },
        },
      }),
      '/responses': openaiResponses,
    },
    taken: ['/responses', '/responses'],
    refusals: 1,
  },
  {
    name: 'gpt-4.1 by Responses does not think',
    model: 'gpt-4.1',
    knows: { api: 'responses' },
    effort: 'low',
    paths: {
      '/responses': responsesEndpoint({
        check: (body) => {
          if (body.reasoning?.effort) return unsupported('reasoning.effort')
          if (body.include) return refusal('Encrypted content is not supported with this model.', 'include')
          return body.reasoning?.summary ? unsupported('reasoning.summary') : null
        },
      }),
    },
    taken: ['/responses', '/responses'],
    refusals: 3,
  },
  {
    name: 'xAI by Responses takes no instructions',
    model: 'grok-4',
    knows: { api: 'responses' },
    paths: {
      '/responses': responsesEndpoint({
        encrypted: 'xai-encrypted',
        check: (body) =>
          'instructions' in body ? refusal('Argument not supported: instructions', 'instructions') : null,
      }),
    },
    taken: ['/responses', '/responses'],
    refusals: 1,
  },
  {
    name: 'LM Studio by Responses: open thoughts, nothing encrypted',
    model: 'openai/gpt-oss-20b',
    knows: { api: 'responses' },
    paths: {
      '/responses': responsesEndpoint({
        check: (body) => (body.include ? refusal("Unrecognized key: 'include'", 'include') : null),
      }),
    },
    taken: ['/responses', '/responses'],
    refusals: 1,
  },
  {
    name: 'vLLM by Responses names what it refuses in the words of pydantic',
    model: 'qwen3',
    knows: { api: 'responses' },
    paths: {
      '/responses': responsesEndpoint({
        check: (body) =>
          body.reasoning?.summary
            ? {
                refuse: {
                  status: 422,
                  body: {
                    detail: [
                      {
                        type: 'extra_forbidden',
                        loc: ['body', 'reasoning.summary'],
                        msg: 'Extra inputs are not permitted',
                      },
                    ],
                  },
                },
              }
            : null,
      }),
    },
    taken: ['/responses', '/responses'],
    refusals: 1,
  },
  {
    name: 'OpenRouter by Responses',
    model: 'openai/gpt-5.6',
    knows: { api: 'responses' },
    effort: 'low',
    paths: { '/responses': openaiResponses },
    taken: ['/responses', '/responses'],
    refusals: 0,
  },
  {
    name: 'Azure by Responses',
    model: 'my-gpt-56',
    paths: { [chat]: gpt56, '/responses': openaiResponses },
    taken: ['/responses', '/responses'],
    refusals: 1,
  },
  {
    name: 'DeepSeek wants its thoughts back with results',
    model: 'deepseek-reasoner',
    paths: {
      [chat]: chatEndpoint({
        thoughts: thinking,
        check: ({ messages }) => {
          const caller = messages.find((message: { tool_calls?: unknown }) => message.tool_calls)
          return caller && caller.reasoning_content !== 'Hm.'
            ? refusal('Missing `reasoning_content` field in the assistant message at message index 2.')
            : null
        },
      }),
    },
    taken: [chat, chat],
    refusals: 0,
  },
  {
    name: 'a server that sends thoughts and refuses them',
    model: 'strict',
    paths: {
      [chat]: chatEndpoint({
        thoughts: thinking,
        check: ({ messages }) =>
          JSON.stringify(messages).includes('reasoning_content')
            ? refusal("property 'reasoning_content' is unsupported")
            : null,
      }),
    },
    taken: [chat, chat],
    refusals: 1,
  },
  {
    name: 'Google wants the signature of its thoughts back with the call',
    model: 'gemini-3-pro',
    paths: {
      [chat]: chatEndpoint({
        thoughts: [
          { content: '<thought>Hm.', extra_content: { google: { thought: true } } },
          { content: '</thought>' },
        ],
        callExtra: { extra_content: { google: { thought_signature: 'c2ln' } } },
        check: ({ messages }) => {
          const caller = messages.find((message: { tool_calls?: unknown }) => message.tool_calls)
          return caller && caller.tool_calls[0].extra_content?.google?.thought_signature !== 'c2ln'
            ? refusal('Function call is missing a thought_signature in functionCall parts.')
            : null
        },
      }),
    },
    taken: [chat, chat],
    refusals: 0,
  },
  {
    name: 'OpenRouter by chat wants its reasoning_details back',
    model: 'anthropic/claude-sonnet-5.5',
    effort: 'high',
    paths: {
      [chat]: chatEndpoint({
        thoughts: [
          { reasoning: 'H', reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0 }] },
          { reasoning: 'm.', reasoning_details: [{ type: 'reasoning.text', text: 'm.', signature: 'c2ln', index: 0 }] },
        ],
        check: ({ messages }) => {
          const caller = messages.find((message: { tool_calls?: unknown }) => message.tool_calls)
          const [detail] = caller?.reasoning_details ?? []
          return caller && (detail?.text !== 'Hm.' || detail.signature !== 'c2ln')
            ? refusal('The thinking block was changed.')
            : null
        },
      }),
    },
    taken: [chat, chat],
    refusals: 0,
  },
  {
    name: 'Groq refuses an effort that it does not know',
    model: 'llama',
    effort: 'high',
    paths: {
      [chat]: chatEndpoint({
        thoughts: [{ reasoning: 'Hm.' }],
        check: (body) =>
          body.reasoning_effort
            ? refusal('`reasoning_effort` is not supported with this model', 'reasoning_effort')
            : null,
      }),
    },
    taken: [chat, chat],
    refusals: 1,
  },
  {
    name: 'Hugging Face writes its thoughts into the text',
    model: 'deepseek-ai/DeepSeek-R1',
    paths: {
      [chat]: chatEndpoint({ thoughts: [{ content: '<thi' }, { content: 'nk>Hm.</th' }, { content: 'ink>\n\n' }] }),
    },
    taken: [chat, chat],
    refusals: 0,
  },
]

describe('servers in the manner of OpenAI', () => {
  it.each(cases)('$name', async ({ model, paths, effort, knows, taken, refusals }) => {
    await using server = await serveVendor(paths)
    const book = newLessonBook(knows ? [[model, knows]] : [])
    // A model object for each request, as after a restart: only the lessons and what was kept are the same.
    const make = () => openaiModel({ baseUrl: `${server.url}/v1`, key: () => 'k' }, book)
    const { calls, ended, reasoning } = await playTurn(make, model, effort)
    expect(calls).toEqual([{ id: 'call_f00dfeed1234', name: 'Read', arguments: '{"path":"a.txt"}' }])
    expect(ended).toEqual(done)
    expect(server.requests.filter(({ refused }) => refused === null).map(({ path }) => path)).toEqual(taken)
    expect(server.requests.filter(({ refused }) => refused !== null)).toHaveLength(refusals)
    const thinks =
      taken[0] === '/responses' ||
      JSON.stringify(paths[chat]?.({ path: '', headers: {}, body: { messages: [{}] } }) ?? '').match(
        /reasoning|thought|think/,
      )
    if (thinks && refusals < 3) expect(reasoning).toBe('Hm.')
  })

  it('goes on without thoughts that the server cannot read any more', async () => {
    const endpoint = responsesEndpoint({
      check: ({ input }) =>
        JSON.stringify(input).includes('encrypted_content')
          ? refusal('The encrypted content for item rs_1 could not be verified.', 'input', 'invalid_encrypted_content')
          : null,
    })
    await using server = await serveVendor({ '/responses': endpoint })
    const model = openaiModel(
      { baseUrl: `${server.url}/v1`, key: () => null },
      newLessonBook([['m', { api: 'responses' }]]),
    )
    const native = {
      from: `responses ${new URL(server.url).host} m`,
      items: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
        { type: 'message', role: 'assistant', content: [] },
      ],
    }
    const events = await collect(
      model.stream(ask({ model: 'm', messages: [user, { role: 'assistant', text: 'Yes.', calls: [], native }, user] })),
    )
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop' })
    expect(server.requests[1]?.body.input[1]).toEqual({ role: 'assistant', content: 'Yes.' })
  })

  it('does not take an item that the server has not stored for a missing interface', async () => {
    const message =
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input."
    const body = { error: { message, type: 'invalid_request_error', param: 'input', code: null } }
    const endpoint = responsesEndpoint({
      check: ({ input }) => (JSON.stringify(input).includes('rs_1') ? { refuse: { status: 404, body } } : null),
    })
    await using server = await serveVendor({ '/responses': endpoint, [chat]: chatEndpoint({ thoughts: [] }) })
    const book = newLessonBook([['m', { api: 'responses' }]])
    const model = openaiModel({ baseUrl: `${server.url}/v1`, key: () => null }, book)
    const items = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'message', role: 'assistant', content: [] },
    ]
    const native = { from: `responses ${new URL(server.url).host} m`, items }
    const said: ModelMessage = { role: 'assistant', text: 'Yes.', calls: [], native }
    await collect(model.stream(ask({ model: 'm', messages: [user, said, user] })))
    expect(server.requests.map(({ path }) => path)).toEqual(['/responses', '/responses'])
    expect(book.of('m')).toEqual({ api: 'responses' })
  })

  it('learns nothing about interfaces where neither is there', async () => {
    const missing: Endpoint = () => ({
      refuse: {
        status: 404,
        body: {
          error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' },
        },
      },
    })
    const paths: Record<string, Endpoint> = { '/responses': missing, [chat]: missing }
    await using server = await serveVendor(paths)
    const book = newLessonBook([['gpt-6-sol', { api: 'responses' }]])
    const model = openaiModel({ baseUrl: `${server.url}/v1`, key: () => null }, book)
    const events = await collect(model.stream(ask({ model: 'gpt-6-sol' })))
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'bad-response' } }])
    expect(book.of('gpt-6-sol')).toEqual({ api: null, noResponses: false })
  })

  it('takes back what it learnt from a refusal that is about something else', async () => {
    const words =
      'Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt: https://platform.openai.com/docs/guides/reasoning#advice-on-prompting'
    const flagged: Endpoint = () => refusal(words, null, 'invalid_prompt')
    await using server = await serveVendor({ '/responses': flagged })
    const book = newLessonBook([['m', { api: 'responses', refused: ['store'] }]])
    const model = openaiModel({ baseUrl: `${server.url}/v1`, key: () => null }, book)
    const events = await collect(model.stream(ask({ model: 'm', effort: 'high' })))
    expect(events).toMatchObject([{ type: 'error', error: { message: expect.stringContaining('flagged') } }])
    expect(book.of('m')).toEqual({ api: 'responses', refused: ['store'] })
  })

  it('sends images of a tool inside its result, and beside it where that is refused', async () => {
    const endpoint = responsesEndpoint({
      check: ({ input }) =>
        input.some(({ output }: { output: unknown }) => Array.isArray(output))
          ? refusal('Invalid type', 'input[2].output')
          : null,
    })
    await using server = await serveVendor({ '/responses': endpoint })
    const model = openaiModel(
      { baseUrl: `${server.url}/v1`, key: () => null },
      newLessonBook([['m', { api: 'responses' }]]),
    )
    const call = { id: 'c', name: 'Read', arguments: '{}' }
    const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' }
    const messages: ModelMessage[] = [
      user,
      { role: 'assistant', text: '', calls: [call] },
      { role: 'tool', callId: 'c', name: 'Read', content: [image], isError: false },
    ]
    await collect(model.stream(ask({ model: 'm', messages })))
    const [first, second] = server.requests
    expect(first?.body.input[2].output).toEqual([{ type: 'input_image', image_url: 'data:image/png;base64,aGk=' }])
    expect(second?.body.input.slice(2)).toEqual([
      { type: 'function_call_output', call_id: 'c', output: '(an image; it follows)' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Images from the result of Read:' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
        ],
      },
    ])
  })
})

const generations: {
  name: string
  model: string
  rules: Generation
  effort?: Effort
  knows?: Lesson
  refusals: number
  thinks: boolean
}[] = [
  {
    name: 'Sonnet 3.5 does not think',
    model: 'claude-3-5-sonnet-20240620',
    rules: { thinking: 'none', efforts: [] },
    refusals: 0,
    thinks: false,
  },
  {
    name: 'Sonnet 4.5 by a budget',
    model: 'claude-sonnet-4-5-20250929',
    rules: { thinking: 'budget', efforts: [] },
    effort: 'high',
    refusals: 0,
    thinks: true,
  },
  {
    name: 'Sonnet 4.5 as it is',
    model: 'claude-sonnet-4-5',
    rules: { thinking: 'budget', efforts: [] },
    refusals: 0,
    thinks: false,
  },
  {
    name: 'Opus 4.6',
    model: 'claude-opus-4-6',
    rules: { thinking: 'adaptive', efforts: ['low', 'medium', 'high', 'max'] },
    effort: 'max',
    refusals: 0,
    thinks: true,
  },
  {
    name: 'Opus 4.7 refuses budgets',
    model: 'claude-opus-4-7',
    rules: { thinking: 'adaptive-only', efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
    effort: 'xhigh',
    refusals: 0,
    thinks: true,
  },
  {
    name: 'Opus 5.5',
    model: 'claude-opus-5-5',
    rules: { thinking: 'adaptive-only', efforts: ['low', 'medium', 'high', 'xhigh', 'max'], strict: true, bound: true },
    effort: 'low',
    refusals: 0,
    thinks: true,
  },
  {
    name: 'Fable 5.1 as it is',
    model: 'claude-fable-5-1',
    rules: { thinking: 'adaptive-only', efforts: ['high'], strict: true, bound: true },
    refusals: 0,
    thinks: true,
  },
  {
    name: 'a model that was thought to take budgets',
    model: 'claude-sonnet-4-5',
    rules: { thinking: 'adaptive-only', efforts: ['high'] },
    effort: 'high',
    refusals: 1,
    thinks: true,
  },
  {
    name: 'a name that nobody knows, which takes budgets',
    model: 'my-claude',
    rules: { thinking: 'budget', efforts: [] },
    effort: 'medium',
    refusals: 1,
    thinks: true,
  },
  {
    name: 'a name that nobody knows, which does not think',
    model: 'glm-5',
    rules: { thinking: 'none', efforts: [] },
    effort: 'medium',
    refusals: 2,
    thinks: false,
  },
  {
    name: 'a model without efforts',
    model: 'claude-haiku-5-5',
    rules: { thinking: 'adaptive-only', efforts: [] },
    effort: 'low',
    refusals: 1,
    thinks: true,
  },
]

describe('generations of Claude', () => {
  it.each(generations)('$name', async ({ model, rules, effort, refusals, thinks }) => {
    await using server = await serveVendor({ '/messages': claude(rules) })
    const book = newLessonBook()
    const make = () => anthropicModel({ baseUrl: `${server.url}/v1`, key: () => 'k' }, book)
    const { calls, ended, reasoning } = await playTurn(make, model, effort)
    expect(calls).toEqual([{ id: 'toolu_01AbCdEf', name: 'Read', arguments: '{"path":"a.txt"}' }])
    expect(ended).toEqual(done)
    expect(reasoning).toBe(thinks ? 'Let me see.Let me see.' : '')
    expect(server.requests.filter(({ refused }) => refused !== null)).toHaveLength(refusals)
    const sent = server.requests.at(-1)?.body.messages[1].content
    if (thinks)
      expect(sent.map(({ type }: { type: string }) => type)).toEqual([
        'thinking',
        'redacted_thinking',
        'text',
        'thinking',
        'tool_use',
      ])
  })

  it('drops thoughts of a conversation that was summarised, once it is told so', async () => {
    const rules: Generation = { thinking: 'adaptive-only', efforts: ['high'], strict: true, bound: true }
    await using server = await serveVendor({ '/messages': claude(rules) })
    const make = () => anthropicModel({ baseUrl: `${server.url}/v1`, key: () => 'k' })
    const { after } = await playTurn(make, 'claude-opus-5-5')
    const summary: ModelMessage = {
      role: 'user',
      content: [{ type: 'text', text: '[This is a summary of the conversation so far.]' }],
    }
    const ended = await after([summary])
    expect(ended.at(-1)).toEqual({ type: 'end', reason: 'stop' })
    const last = server.requests.at(-1)
    expect(last?.body.thinking.block_binding).toEqual({ prefix_mismatch_behavior: 'drop_block' })
    // The blocks are still sent as they came: those that fit are used.
    expect(last?.body.messages[1].content[0]).toEqual({
      type: 'thinking',
      thinking: 'Let me see.',
      signature: 'c2lnbmF0dXJl',
    })
  })

  it('takes back what it learnt from a refusal that is about something else', async () => {
    await using server = await serveVendor({ '/messages': () => claudeRefusal('Nothing to do with thinking.') })
    const book = newLessonBook()
    const model = anthropicModel({ baseUrl: `${server.url}/v1`, key: () => 'k' }, book)
    await collect(model.stream(ask({ model: 'claude-opus-5-5', effort: 'high' })))
    expect(book.of('claude-opus-5-5')).toEqual({})
  })

  it('does not send the thoughts of one model to another', async () => {
    const rules: Generation = { thinking: 'adaptive-only', efforts: [], strict: true }
    await using server = await serveVendor({ '/messages': claude(rules) })
    const model = anthropicModel({ baseUrl: `${server.url}/v1`, key: () => 'k' })
    const native = {
      from: `messages ${new URL(server.url).host} claude-opus-5-5`,
      items: [
        { type: 'thinking', thinking: 'x', signature: 'y' },
        { type: 'text', chars: 2 },
      ],
    }
    await collect(
      model.stream(
        ask({
          model: 'claude-sonnet-5-5',
          messages: [user, { role: 'assistant', text: 'No', calls: [], native }, user],
        }),
      ),
    )
    expect(server.requests[0]?.body.messages[1].content).toEqual([{ type: 'text', text: 'No' }])
  })
})
