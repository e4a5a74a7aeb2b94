import { isRecord } from '../is-record'

/** What an answer took. `inputTokens` holds the cached and the written ones as well. */
export interface TokenUsage {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** Written to the provider's cache, which some charge more for. */
  cacheWriteTokens?: number
  /** Of the output, what was thought and not said. */
  reasoningTokens?: number
  /** Thought beside the output, where a server such as xAI's leaves that out of its figure; charged like the output. */
  besideTokens?: number
}

interface Figures {
  input: unknown
  output: unknown
  cached?: unknown
  written?: unknown
  reasoning?: unknown
  total?: unknown
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Null where a server's figures are missing or cannot be true: negative, or no number. Then usage is unknown, not 0. */
export const usageFrom = ({ input, output, cached, written, reasoning, total }: Figures): TokenUsage | null => {
  const wrong = [input, output].some((figure) => figure != null && !isCount(figure))
  if (wrong || (input == null && output == null)) return null
  const inputTokens = isCount(input) ? input : 0
  const part = (value: unknown, whole: number) => (isCount(value) ? Math.min(value, whole) : 0)
  const cacheWriteTokens = part(written, inputTokens)
  const outputTokens = isCount(output) ? output : 0
  // The total tells whether thoughts are a part of the output or come on top of it.
  const isBeside = isCount(reasoning) && isCount(total) && total >= inputTokens + outputTokens + reasoning
  const reasoningTokens = isBeside ? 0 : part(reasoning, outputTokens)
  return {
    inputTokens,
    outputTokens,
    cachedTokens: part(cached, inputTokens),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
    ...(isBeside && reasoning > 0 && { besideTokens: reasoning }),
  }
}

/** The first that is an object; servers put their usage in several places. */
export const firstRecord = (...values: unknown[]): Record<string, unknown> | undefined => values.find(isRecord)
