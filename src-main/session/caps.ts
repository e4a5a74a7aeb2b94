import { tokensPerDollar } from '../../src-preload/contract/settings'
import type { Spent } from '../../src-preload/contract/usage'

/** How much may be spent, and how much was. */
export interface Cap {
  /** Which one it is, also after it was raised: `session s_1`, `day 2026-11-17`. */
  key: string
  /** For the user: `this session`. */
  name: string
  /** US dollars; 0 if only tokens are counted. */
  dollars: number
  /** For models without a price; 0 for `tokensPerDollar` for each dollar. */
  tokens: number
  spent: Spent
  /** What other requests that are under way could add. */
  underWay: readonly WorstCase[]
}

/** What the next request could take at most; `cost` is null if the price is not known. */
export interface WorstCase {
  cost: number | null
  tokens: number
}

export interface Measure {
  /** What one cap allows, in dollars or in tokens. */
  step: number
  limit: number
  /** With what requests that are under way could take. */
  spent: number
  /** What the next request could add. */
  next: number
  words(amount: number): string
}

/**
 * What a cap counts for the next request, or null if it says nothing about it. Dollars are counted where the price is
 * known. Tokens are counted for models without a price, and for all models if the cap names no dollars.
 */
export const measure = (cap: Cap, worst: WorstCase, raises: number): Measure | null => {
  const { dollars, spent, underWay } = cap
  if (dollars <= 0 && cap.tokens <= 0) return null
  if (dollars > 0 && worst.cost !== null)
    return {
      step: dollars,
      limit: dollars * (1 + raises),
      spent: (spent.cost ?? 0) + sumOf(underWay, ({ cost }) => cost ?? 0),
      next: worst.cost,
      words: dollarWords,
    }
  const step = cap.tokens > 0 ? cap.tokens : Math.round(dollars * tokensPerDollar)
  return {
    step,
    limit: step * (1 + raises),
    spent:
      dollars > 0
        ? spent.unpricedTokens + sumOf(underWay, ({ cost, tokens }) => (cost === null ? tokens : 0))
        : spent.inputTokens + spent.outputTokens + sumOf(underWay, ({ tokens }) => tokens),
    next: worst.tokens,
    words: tokenWords,
  }
}

const sumOf = (cases: readonly WorstCase[], amount: (worst: WorstCase) => number): number =>
  cases.reduce((sum, worst) => sum + amount(worst), 0)

/** By how many times its own size a cap has to be raised for the next request to fit. */
export const raisesFor = ({ step, spent, next }: Measure): number => Math.max(1, Math.ceil((spent + next) / step) - 1)

/** Small sums with more digits: `$0.0328`, `$0.04`, `$1.50`. */
const dollarWords = (amount: number): string =>
  amount < 0.1 ? `$${Number(amount.toFixed(4))}` : `$${amount.toFixed(2)}`

const tokenWords = (amount: number): string => `${Math.round(amount).toLocaleString('en')} tokens`

export const nearCap = ({ name }: Cap, { spent, next, limit, words }: Measure): string =>
  `${sentence(name)} has used ${words(spent)} of its cap of ${words(limit)}; the next request could take up to ${words(next)} more.`

export const atCap = ({ name, underWay }: Cap, { spent, next, limit, words }: Measure): string =>
  `The next request could take up to ${words(next)}. With the ${words(spent)} used so far${underWay.length > 0 ? ' or under way' : ''}, that is more than the cap of ${words(limit)} for ${name}.`

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
