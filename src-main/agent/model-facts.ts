import type { ModelInfo } from '../../src-preload/contract/models'

type Facts = Pick<ModelInfo, 'contextWindow' | 'price'>

const defaultWindow = 128_000

/** Prefix of the name, window, then dollars for a million tokens: input, output, cached input. The longest prefix wins. */
const table: [prefix: string, window: number, input?: number, output?: number, cached?: number][] = [
  ['claude-opus-4', 200_000, 15, 75, 1.5],
  ['claude-opus-4-5', 200_000, 5, 25, 0.5],
  ['claude-sonnet-4', 200_000, 3, 15, 0.3],
  ['claude-haiku-4', 200_000, 1, 5, 0.1],
  ['claude-3-7-sonnet', 200_000, 3, 15, 0.3],
  ['claude-3-5-sonnet', 200_000, 3, 15, 0.3],
  ['claude-3-5-haiku', 200_000, 0.8, 4, 0.08],
  ['claude-3-haiku', 200_000, 0.25, 1.25, 0.03],
  ['claude', 200_000],
  ['gpt-5', 400_000, 1.25, 10, 0.125],
  ['gpt-5-mini', 400_000, 0.25, 2, 0.025],
  ['gpt-5-nano', 400_000, 0.05, 0.4, 0.005],
  ['gpt-4.1', 1_047_576, 2, 8, 0.5],
  ['gpt-4.1-mini', 1_047_576, 0.4, 1.6, 0.1],
  ['gpt-4.1-nano', 1_047_576, 0.1, 0.4, 0.025],
  ['gpt-4o', 128_000, 2.5, 10, 1.25],
  ['gpt-4o-mini', 128_000, 0.15, 0.6, 0.075],
  ['gpt-4-turbo', 128_000, 10, 30],
  ['gpt-4', 8192, 30, 60],
  ['gpt-3.5-turbo', 16_385, 0.5, 1.5],
  ['gpt-oss', 131_072],
  ['o4-mini', 200_000, 1.1, 4.4, 0.275],
  ['o3', 200_000, 2, 8, 0.5],
  ['o3-mini', 200_000, 1.1, 4.4, 0.55],
  ['o1', 200_000, 15, 60, 7.5],
  ['gemini-2.5-pro', 1_048_576, 1.25, 10, 0.31],
  ['gemini-2.5-flash', 1_048_576, 0.3, 2.5, 0.075],
  ['gemini', 1_048_576],
  ['deepseek', 128_000],
  ['grok-4', 256_000, 3, 15, 0.75],
  ['grok', 131_072],
  ['mistral-large', 131_072],
  ['codestral', 256_000],
  ['qwen3', 131_072],
  ['qwen2.5', 32_768],
  ['llama-3', 131_072],
  ['llama3', 131_072],
  ['kimi-k2', 262_144],
  ['glm-4', 131_072],
]

/**
 * What is known about a model by its name. A name may carry its maker (`anthropic/claude-…`); a price is given only where
 * the maker itself bills, because others set their own.
 */
export const modelFacts = (name: string, host: string): Facts => {
  const bare = (name.split('/').at(-1) ?? name).toLowerCase()
  const matching = table.filter(([prefix]) => bare.startsWith(prefix))
  const [, contextWindow, input, output, cached] = matching.toSorted((a, b) => b[0].length - a[0].length)[0] ?? []
  const billed = /(^|\.)(openai\.com|anthropic\.com|googleapis\.com|x\.ai)$/.test(host)
  return {
    contextWindow: contextWindow ?? defaultWindow,
    ...(billed &&
      input !== undefined &&
      output !== undefined && { price: { input, output, ...(cached !== undefined && { cached }) } }),
  }
}

/** US dollars; 0 where the price is not known. `inputTokens` includes the cached ones. */
export const costOf = (
  price: ModelInfo['price'],
  usage: { inputTokens: number; outputTokens: number; cachedTokens: number },
): number => {
  if (!price) return 0
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens)
  const millions =
    fresh * price.input + usage.cachedTokens * (price.cached ?? price.input) + usage.outputTokens * price.output
  return millions / 1_000_000
}
