import type { ModelInfo, ModelPrice } from '../../src-preload/contract/models'
import { modelTable, type TableRow } from './model-table'
import type { TokenUsage } from './usage'

/** A date or a word at the end of a name, which does not make it another model. */
const edition = /([-@:](\d{4}-\d\d-\d\d|\d{4,8}|latest|preview|v\d(:\d)?)|(?<=-preview)-[\d-]+)$/

/** The names that a model may be known by, the longest first: as it is called, and without its edition. */
const namesOf = (name: string): string[] => {
  const bare = (name.split('/').at(-1) ?? name).toLowerCase().replace(/^(us|eu|apac|global)?\.?anthropic\./, '')
  const names = [bare]
  for (let next = bare.replace(edition, ''); next !== names.at(-1); next = next.replace(edition, '')) names.push(next)
  // Some write 4.5 where the maker writes 4-5.
  return names.flatMap((each) => (each.startsWith('claude') ? [each, each.replaceAll('.', '-')] : [each]))
}

/** Who bills by the prices of the table; others set their own. */
const billed = /(^|\.)(openai\.com|anthropic\.com|googleapis\.com|x\.ai|deepseek\.com)$/

/**
 * What is known about a model by its name; a window of 0 and no price where nothing is. A name may carry its maker
 * (`anthropic/claude-…`).
 */
export const modelFacts = (name: string, host: string): Pick<ModelInfo, 'contextWindow' | 'price'> => {
  const row = namesOf(name)
    .map((each) => modelTable.get(each))
    .find((each): each is TableRow => each !== undefined)
  return {
    contextWindow: row?.window ?? 0,
    ...(row?.price && billed.test(host.replace(/:\d+$/, '')) && { price: row.price }),
  }
}

const smallWindows: [RegExp, number][] = [
  [/qwen2\.5|llama-?2|mixtral|phi-?3/, 32_000],
  [/gemma-?2|gpt-4$/, 8000],
]

/** The window size to assume if it is unknown. It is never shown, and an overflow is handled anyway. */
export const assumedWindow = (name: string): number =>
  smallWindows.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 128_000

/** The rates for a request of this length. */
const ratesFor = (price: ModelPrice, inputTokens: number) =>
  price.long && inputTokens > price.long.above ? price.long : price

/** US dollars, or null if the price is not known. `inputTokens` includes the cached and the written ones. */
export const costOf = (price: ModelPrice | undefined, usage: TokenUsage): number | null => {
  if (!price) return null
  const rate = ratesFor(price, usage.inputTokens)
  const written = usage.cacheWriteTokens ?? 0
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens - written)
  const millions =
    fresh * rate.input +
    usage.cachedTokens * (rate.cached ?? rate.input) +
    written * (rate.cacheWrite ?? rate.input) +
    (usage.outputTokens + (usage.besideTokens ?? 0)) * rate.output
  return millions / 1_000_000
}

/** What a request can cost at most: nothing of it is in the cache, and the answer is as long as it may be. */
export const worstCost = (price: ModelPrice, inputTokens: number, outputTokens: number): number => {
  const { input, cacheWrite = 0, output } = ratesFor(price, inputTokens)
  return (inputTokens * Math.max(input, cacheWrite) + outputTokens * output) / 1_000_000
}
