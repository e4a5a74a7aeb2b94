import { describe, expect, it } from 'vitest'
import { costOf, modelFacts } from './model-facts'
import { listModels, probe } from './model-list'
import { serve, status } from './test-server'

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
      { name: 'gpt-4o', contextWindow: 128_000 },
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
    expect(refused.message).toContain('The key was refused')
    expect(refused.message).not.toContain('0123456789')
    await using page = await serve(status(200, '<html><title>Router</title></html>'))
    expect(await probe('openai', at(page.url), signal)).toMatchObject({ ok: false })
    expect(await probe('openai', at('nonsense'), signal)).toMatchObject({ ok: false })
  })
})

describe('modelFacts', () => {
  it('takes the longest prefix, and gives a price only where the maker bills', () => {
    expect(modelFacts('gpt-4o-mini-2024', 'api.openai.com')).toEqual({
      contextWindow: 128_000,
      price: { input: 0.15, output: 0.6, cached: 0.075 },
    })
    expect(modelFacts('anthropic/claude-sonnet-4-5', 'openrouter.ai')).toEqual({ contextWindow: 200_000 })
    expect(modelFacts('mystery', 'localhost:1234')).toEqual({ contextWindow: 128_000 })
  })

  it('counts cached tokens at their own price', () => {
    const usage = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 }
    expect(costOf({ input: 10, output: 20, cached: 1 }, usage)).toBeCloseTo(6 + 0.4 + 2)
    expect(costOf(undefined, usage)).toBe(0)
  })
})
