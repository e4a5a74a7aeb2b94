import type { ModelPrice } from '../../src-preload/contract/models'

export interface TableRow {
  /** The most tokens that a request may hold; 0 where the maker does not say. */
  window: number
  price?: ModelPrice
}

/** Dollars for a million tokens. Writing to the cache costs what is not cached where nothing else is said. */
const price = (input: number, output: number, cached?: number, cacheWrite?: number): ModelPrice => ({
  input,
  output,
  cached,
  cacheWrite,
})

/** A request above this length costs more as a whole: twice for what goes in, one and a half times for what comes out. */
const longer = (above: number, base: ModelPrice): ModelPrice => ({
  ...base,
  long: {
    above,
    input: base.input * 2,
    output: base.output * 1.5,
    ...(base.cached !== undefined && { cached: base.cached * 2 }),
    ...(base.cacheWrite !== undefined && { cacheWrite: base.cacheWrite * 2 }),
  },
})

/** Claude charges a quarter more for what it writes to its cache, for five minutes. */
const claude = (window: number, input: number, output: number, cached = input / 10): TableRow => ({
  window,
  price: price(input, output, cached, input * 1.25),
})

const openai = (window: number, input: number, output: number, cached?: number, cacheWrite?: number): TableRow => {
  const base = price(input, output, cached, cacheWrite)
  return { window, price: window > 272_000 ? longer(272_000, base) : base }
}

const gemini = (input: number, output: number, cached: number, isTiered = false): TableRow => {
  const base = price(input, output, cached)
  return { window: 1_048_576, price: isTiered ? longer(200_000, base) : base }
}

const rows: [name: string, row: TableRow][] = [
  ['claude-3-5-haiku', claude(200_000, 0.8, 4)],
  ['claude-3-5-sonnet', claude(200_000, 3, 15)],
  ['claude-3-7-sonnet', claude(200_000, 3, 15)],
  ['claude-haiku-4-5', claude(200_000, 1, 5)],
  ['claude-sonnet-4', claude(200_000, 3, 15)],
  ['claude-sonnet-4-5', claude(200_000, 3, 15)],
  ['claude-sonnet-4-6', claude(1_000_000, 3, 15)],
  ['claude-opus-4', claude(200_000, 15, 75)],
  ['claude-opus-4-1', claude(200_000, 15, 75)],
  ['claude-opus-4-5', claude(200_000, 5, 25)],
  ['claude-opus-4-6', claude(1_000_000, 5, 25)],
  ['claude-opus-4-7', claude(1_000_000, 5, 25)],
  ['claude-opus-4-8', claude(1_000_000, 5, 25)],
  ['claude-opus-5', claude(1_000_000, 5, 25)],
  ['claude-opus-5-5', claude(1_000_000, 4, 20, 0.2)],
  ['claude-sonnet-5', claude(1_000_000, 2, 10)],
  ['claude-sonnet-5-5', claude(1_000_000, 2, 10)],
  ['claude-haiku-5-5', { window: 1_000_000 }],
  ['claude-fable-5', claude(1_000_000, 10, 50)],
  ['claude-fable-5-1', claude(1_000_000, 10, 50)],

  ['gpt-3.5-turbo', openai(16_385, 0.5, 1.5)],
  ['gpt-3.5-turbo-0613', openai(4096, 1.5, 2)],
  ['gpt-3.5-turbo-1106', openai(16_385, 1, 2)],
  ['gpt-4', openai(8192, 30, 60)],
  ['gpt-4-0125-preview', openai(128_000, 10, 30)],
  ['gpt-4-1106-preview', openai(128_000, 10, 30)],
  ['gpt-4-turbo', openai(128_000, 10, 30)],
  ['gpt-4o', openai(128_000, 2.5, 10, 1.25)],
  ['gpt-4o-2024-05-13', openai(128_000, 5, 15)],
  ['gpt-4o-mini', openai(128_000, 0.15, 0.6, 0.075)],
  ['gpt-4.1', { window: 1_047_576, price: price(2, 8, 0.5) }],
  ['gpt-4.1-mini', { window: 1_047_576, price: price(0.4, 1.6, 0.1) }],
  ['gpt-4.1-nano', { window: 1_047_576, price: price(0.1, 0.4, 0.025) }],
  ['o1', openai(200_000, 15, 60, 7.5)],
  ['o1-preview', openai(128_000, 15, 60, 7.5)],
  ['o3', openai(200_000, 2, 8, 0.5)],
  ['o3-mini', openai(200_000, 1.1, 4.4, 0.55)],
  ['o3-pro', openai(200_000, 20, 80)],
  ['o4-mini', openai(200_000, 1.1, 4.4, 0.275)],
  ['gpt-5', openai(272_000, 1.25, 10, 0.125)],
  ['gpt-5-codex', openai(272_000, 1.25, 10, 0.125)],
  ['gpt-5-mini', openai(272_000, 0.25, 2, 0.025)],
  ['gpt-5-nano', openai(272_000, 0.05, 0.4, 0.005)],
  ['gpt-5-pro', { window: 272_000, price: price(15, 120) }],
  ['gpt-5.1', openai(272_000, 1.25, 10, 0.125)],
  ['gpt-5.1-codex', openai(272_000, 1.25, 10, 0.125)],
  ['gpt-5.1-codex-max', openai(272_000, 1.25, 10, 0.125)],
  ['gpt-5.1-codex-mini', openai(272_000, 0.25, 2, 0.025)],
  ['gpt-5.2', openai(272_000, 1.75, 14, 0.175)],
  ['gpt-5.2-codex', openai(272_000, 1.75, 14, 0.175)],
  ['gpt-5.2-pro', { window: 272_000, price: price(21, 168) }],
  ['gpt-5.3-codex', openai(272_000, 1.75, 14, 0.175)],
  ['gpt-5.4', openai(922_000, 2.5, 15, 0.25)],
  ['gpt-5.4-mini', openai(272_000, 0.75, 4.5, 0.075)],
  ['gpt-5.4-nano', openai(272_000, 0.2, 1.25, 0.02)],
  ['gpt-5.4-pro', openai(922_000, 30, 180, 3)],
  ['gpt-5.5', openai(922_000, 5, 30, 0.5)],
  ['gpt-5.5-pro', openai(922_000, 30, 180, 3)],
  ['gpt-5.6', openai(922_000, 5, 30, 0.5, 6.25)],
  ['gpt-5.6-sol', openai(922_000, 5, 30, 0.5, 6.25)],
  ['gpt-5.6-terra', openai(922_000, 2, 12, 0.2, 2.5)],
  ['gpt-5.6-luna', openai(922_000, 0.2, 1.2, 0.02, 0.25)],
  ['gpt-6-astra', { window: 0, price: longer(272_000, price(10, 50, 1)) }],
  ['gpt-6-sol', openai(922_000, 2, 10, 0.2, 2.5)],
  ['gpt-6-luna', openai(922_000, 0.1, 0.5, 0.01, 0.125)],
  ['gpt-6.1-sol', { window: 0, price: longer(272_000, price(2, 10, 0.1)) }],
  ['gpt-6.1-terra', openai(922_000, 1, 5, 0.05, 1.25)],

  ['gemini-2.5-flash', gemini(0.3, 2.5, 0.03)],
  ['gemini-2.5-flash-lite', gemini(0.1, 0.4, 0.01)],
  ['gemini-2.5-pro', gemini(1.25, 10, 0.125, true)],
  ['gemini-3-flash', gemini(0.5, 3, 0.05)],
  ['gemini-3-pro', gemini(2, 12, 0.2, true)],
  ['gemini-3.1-pro', gemini(2, 12, 0.2, true)],
  ['gemini-3.1-flash-lite', gemini(0.25, 1.5, 0.025)],
  ['gemini-3.5-flash', gemini(1.5, 9, 0.15)],
  ['gemini-3.5-flash-lite', gemini(0.3, 2.5, 0.03)],
  ['gemini-3.6-flash', gemini(1.5, 7.5, 0.15)],

  ['deepseek-chat', { window: 131_072, price: price(0.28, 0.42, 0.028) }],
  ['deepseek-reasoner', { window: 131_072, price: price(0.28, 0.42, 0.028) }],
  ['deepseek-v4-flash', { window: 1_000_000, price: price(0.14, 0.28, 0.0028) }],
  ['deepseek-v4-pro', { window: 1_000_000, price: price(0.435, 0.87, 0.0036) }],
  ['grok-3', { window: 131_072, price: price(3, 15, 0.75) }],
  ['grok-3-mini', { window: 131_072, price: price(0.3, 0.5, 0.075) }],
  ['grok-4', { window: 256_000, price: price(3, 15, 0.75) }],
  [
    'grok-4.3',
    {
      window: 1_000_000,
      price: {
        ...longer(200_000, price(1.25, 2.5, 0.2)),
        long: { above: 200_000, input: 2.5, output: 5, cached: 0.4 },
      },
    },
  ],
  [
    'grok-4.5',
    {
      window: 500_000,
      price: { ...longer(200_000, price(2, 6, 0.5)), long: { above: 200_000, input: 4, output: 12, cached: 1 } },
    },
  ],
  ['grok-code-fast-1', { window: 256_000, price: price(0.2, 1.5, 0.02) }],
]

/**
 * What is known of models for servers whose lists do not say: from LiteLLM's model_prices_and_context_window.json
 * (https://github.com/BerriAI/litellm) of 2026-08-08, and for newer models from what their makers announced until 2026-11-17.
 * Where it is in doubt, the makers' own pages decide: https://developers.openai.com/api/docs/pricing,
 * https://platform.claude.com/docs/en/about-claude/pricing, https://ai.google.dev/gemini-api/docs/pricing,
 * https://docs.x.ai/docs/models and https://api-docs.deepseek.com. A model that is not here is unknown: the price or window
 * of another one would be wrong.
 */
export const modelTable: ReadonlyMap<string, TableRow> = new Map(rows)
