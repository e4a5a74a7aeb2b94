import { describe, expect, it } from 'vitest'
import { effortsOf } from './model-efforts'
import { assumedWindow, costOf, modelFacts } from './model-facts'
import { listModels, probe } from './model-list'
import { openaiModel } from './openai'
import { ask, chat, collect, say, serve, status } from './test-server'

const signal = new AbortController().signal
const at = (baseUrl: string) => ({ baseUrl, key: () => 'sk-test-0123456789' })

describe('listModels', () => {
  it('reads all pages of an OpenAI-compatible list and leaves out what cannot chat', async () => {
    await using server = await serve(
      status(200, { data: [{ id: 'gpt-4o' }, { id: 'text-embedding-3-small' }], has_more: true }),
      status(200, {
        data: [{ id: 'meta/llama-3.3', context_length: 9000, pricing: { prompt: '0.000001', completion: '0.000002' } }],
      }),
    )
    expect(await listModels('openai', at(server.url), signal)).toEqual([
      { name: 'gpt-4o' },
      { name: 'meta/llama-3.3', contextWindow: 9000, price: { input: 1, output: 2 } },
    ])
    expect(server.requests.map((request) => request.url)).toEqual([
      '/v1/models',
      '/v1/models?after=text-embedding-3-small',
    ])
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-test-0123456789')
  })

  it('reads the pages of Anthropic', async () => {
    await using server = await serve(
      status(200, { data: [{ id: 'claude-b' }], has_more: true, last_id: 'claude-b' }),
      status(200, { data: [{ id: 'claude-a' }], has_more: false, last_id: 'claude-a' }),
    )
    const models = await listModels('anthropic', at(server.url), signal)
    expect(models.map((model) => model.name)).toEqual(['claude-a', 'claude-b'])
    expect(server.requests.map((request) => request.url)).toEqual([
      '/v1/models?limit=1000',
      '/v1/models?limit=1000&after_id=claude-b',
    ])
    expect(server.requests[0]?.headers['x-api-key']).toBe('sk-test-0123456789')
  })

  it('tries the address as it was typed when there is no /v1', async () => {
    await using server = await serve(status(404, 'no'), status(200, { data: [{ id: 'm' }] }))
    expect(await listModels('openai', at(`${server.url}/x`), signal)).toHaveLength(1)
    expect(server.requests[1]?.url).toBe('/x/models')
  })
})

describe('probe', () => {
  it('says in a sentence how the connection went', async () => {
    await using good = await serve(status(200, { data: [{ id: 'm' }] }))
    expect(await probe('openai', at(good.url), signal)).toEqual({
      ok: true,
      message: `Connected to 127.0.0.1:${good.port}: 1 model.`,
      models: 1,
    })
    await using locked = await serve(status(401, { error: { message: 'bad key sk-test-0123456789' } }))
    const refused = await probe('openai', at(locked.url), signal)
    expect(refused).toMatchObject({ ok: false, models: 0 })
    expect(refused.message).toContain('rejected the API key')
    expect(refused.message).not.toContain('0123456789')
    await using page = await serve(status(200, '<html><title>Router</title></html>'))
    expect(await probe('openai', at(page.url), signal)).toMatchObject({ ok: false })
    expect(await probe('openai', at('nonsense'), signal)).toMatchObject({ ok: false })
  })
})

describe('what a server says about a model', () => {
  const described = async (row: object) => {
    await using server = await serve(status(200, { data: [{ id: 'm', ...row }] }))
    return (await listModels('openai', at(server.url), signal))[0]
  }

  it.each([
    [{ context_length: 9000 }, 9000],
    [{ max_input_tokens: 922_000, context_window: 1_050_000 }, 922_000],
    [{ context_length: 9000, top_provider: { context_length: 8000 } }, 8000],
    [{ top_provider: { context_length: 8000 } }, 8000],
    [{ max_context_length: 131_072, loaded_context_length: 4096 }, 4096],
    [{ meta: { n_ctx_train: 131_072, n_ctx: 8192 } }, 8192],
    [{ context_window: -1 }, undefined],
  ])('is its window: %j', async (row, window) => {
    expect((await described(row))?.contextWindow).toBe(window)
  })

  it('is its price, with what the cache costs, and that it thinks', async () => {
    const pricing = {
      prompt: '0.000004',
      completion: '0.00002',
      input_cache_read: '0.0000002',
      input_cache_write: '0.000005',
    }
    expect(await described({ pricing, supported_parameters: ['tools', 'reasoning'] })).toEqual({
      name: 'm',
      price: { input: 4, output: 20, cached: 0.2, cacheWrite: 5 },
      efforts: ['low', 'medium', 'high'],
    })
    expect(await described({ pricing: { prompt: '-1', completion: '-1' } })).toEqual({ name: 'm' })
  })
})

describe('modelFacts', () => {
  it('knows a model by its name, with or without its edition, and gives a price only where the maker bills', () => {
    const mini = { contextWindow: 128_000, price: { input: 0.15, output: 0.6, cached: 0.075 } }
    expect(modelFacts('gpt-4o-mini', 'api.openai.com')).toEqual(mini)
    expect(modelFacts('gpt-4o-mini-2024-07-18', 'api.openai.com')).toEqual(mini)
    expect(modelFacts('claude-opus-5-5-20260922', 'api.anthropic.com')).toEqual({
      contextWindow: 1_000_000,
      price: { input: 4, output: 20, cached: 0.2, cacheWrite: 5 },
    })
    expect(modelFacts('anthropic/claude-opus-4.6', 'openrouter.ai')).toEqual({ contextWindow: 1_000_000 })
  })

  it('knows editions that are not what the bare name is now', () => {
    const facts = (name: string) => modelFacts(name, 'api.openai.com')
    expect(facts('gpt-4o-2024-05-13').price).toMatchObject({ input: 5, output: 15 })
    expect(facts('gpt-4-1106-preview')).toMatchObject({ contextWindow: 128_000, price: { input: 10, output: 30 } })
    expect(facts('o1-preview-2024-09-12').contextWindow).toBe(128_000)
    const flash = modelFacts('gemini-2.5-flash', 'googleapis.com')
    for (const edition of ['preview', 'preview-09-2025', 'preview-05-20'])
      expect(modelFacts(`gemini-2.5-flash-${edition}`, 'googleapis.com')).toEqual(flash)
  })

  it('does not take one model for another', () => {
    for (const name of [
      'mystery',
      'gpt-5.9',
      'gpt-5-giant',
      'claude-sonnet-6',
      'llama-3.3-70b-instruct',
      'gpt-4o-audio',
    ])
      expect(modelFacts(name, 'api.openai.com')).toEqual({ contextWindow: 0 })
    expect(assumedWindow('qwen2.5-coder:7b')).toBe(32_000)
  })
})

describe('costOf', () => {
  it('counts what is read from the cache and written to it at their own prices', () => {
    const usage = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 }
    expect(costOf({ input: 10, output: 20, cached: 1 }, usage)).toBeCloseTo(6 + 0.4 + 2)
    const written = { ...usage, cacheWriteTokens: 100_000 }
    expect(costOf({ input: 10, output: 20, cached: 1, cacheWrite: 12.5 }, written)).toBeCloseTo(5 + 0.4 + 1.25 + 2)
    expect(costOf(undefined, usage)).toBeNull()
  })

  it('counts thoughts that the server leaves out of its output', async () => {
    const usage = async (total_tokens: number) => {
      const figures = { prompt_tokens: 291, completion_tokens: 26, total_tokens }
      const details = { completion_tokens_details: { reasoning_tokens: 196 } }
      await using server = await serve(chat(say('ok', 'stop'), { choices: [], usage: { ...figures, ...details } }))
      const events = await collect(openaiModel({ baseUrl: server.url, key: () => null }).stream(ask()))
      const counted = events.find((event) => event.type === 'usage')
      return counted && costOf({ input: 0, output: 1_000_000 }, counted)
    }
    expect(await usage(291 + 26 + 196)).toBe(26 + 196)
    expect(await usage(291 + 26)).toBe(26)
  })

  it('bills a long request by its own tariff as a whole', () => {
    const { price } = modelFacts('gpt-5.4', 'api.openai.com')
    const short = { inputTokens: 272_000, cachedTokens: 0, outputTokens: 0 }
    expect(costOf(price, short)).toBeCloseTo(0.272 * 2.5)
    expect(costOf(price, { ...short, inputTokens: 300_000, outputTokens: 1_000_000 })).toBeCloseTo(0.3 * 5 + 22.5)
  })
})

describe('effortsOf', () => {
  it('has only the levels that a model has', () => {
    expect(effortsOf('anthropic', 'claude-opus-5-5')).toEqual(['low', 'medium', 'high', 'xhigh', 'max'])
    expect(effortsOf('anthropic', 'claude-opus-4-6')).toEqual(['low', 'medium', 'high', 'max'])
    expect(effortsOf('anthropic', 'claude-sonnet-4-5')).toEqual(['low', 'medium', 'high'])
    expect(effortsOf('anthropic', 'claude-3-5-sonnet-latest')).toEqual([])
    expect(effortsOf('openai', 'gpt-5')).toEqual(['minimal', 'low', 'medium', 'high'])
    expect(effortsOf('openai', 'gpt-5.6-terra')).toEqual(['none', 'low', 'medium', 'high', 'xhigh'])
    expect(effortsOf('openai', 'o3')).toEqual(['low', 'medium', 'high'])
    expect(effortsOf('openai', 'gpt-4o')).toEqual([])
    expect(effortsOf('openai', 'llama-3.3')).toEqual([])
  })
})
