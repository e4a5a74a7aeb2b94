import type { Spent } from '../../src-preload/contract/usage'
import { money, tokens } from '../state/format'

/** The cost, as far as it is known: `$1.20`, `$1.20 + unknown`, `unknown`. */
export function costWords({ cost, unpricedTokens }: Pick<Spent, 'cost' | 'unpricedTokens'>): string {
  if (cost === null) return 'unknown'
  return unpricedTokens > 0 ? `${money(cost)} + unknown` : money(cost)
}

/** The same in a few characters. */
export function shortCost({ cost, unpricedTokens }: Pick<Spent, 'cost' | 'unpricedTokens'>): string {
  if (cost === null) return '$?'
  return unpricedTokens > 0 ? `${money(cost)}+` : money(cost)
}

/** How much of the input came from the provider's cache. */
export function cachedShare({ inputTokens, cachedTokens }: Pick<Spent, 'inputTokens' | 'cachedTokens'>): string {
  if (inputTokens === 0) return '–'
  return `${Math.round((cachedTokens / inputTokens) * 100)}%`
}

/** One line for a tooltip: `$0.02: 12k in (90% cached), 300 out`. */
export const spentLine = (spent: Spent): string =>
  `${costWords(spent)}: ${tokens(spent.inputTokens)} in (${cachedShare(spent)} cached), ${tokens(spent.outputTokens)} out`

/** The month that is this many months away from one such as `2026-11`. */
export function monthAway(month: string, away: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const date = new Date(year, number - 1 + away, 1)
  return monthOf(date)
}

export const monthOf = (date: Date): string => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`

/** The first and last day of a month. */
export function daysOf(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(year, number, 0).getDate()
  return { from: `${month}-01`, to: `${month}-${last}` }
}

export function monthWords(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(year, number - 1, 1).toLocaleDateString('en', { month: 'long', year: 'numeric' })
}

export function dayWords(day: string): string {
  const [year = 0, month = 1, number = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, number).toLocaleDateString('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
}
