import { expect, test } from 'vitest'
import { nothingSpent } from '../../src-preload/contract/usage'
import { cachedShare, costWords, daysOf, monthAway, monthWords, shortCost, spentLine } from './usage-words'

test('a cost that is not known is never a number', () => {
  const unknown = { ...nothingSpent, cost: null, unpricedTokens: 500 }
  const both = { ...nothingSpent, cost: 1.2, unpricedTokens: 500 }
  expect([costWords(unknown), shortCost(unknown)]).toEqual(['unknown', '$?'])
  expect([costWords(both), shortCost(both)]).toEqual(['$1.20 + unknown', '$1.20+'])
  expect(costWords(nothingSpent)).toBe('$0')
})

test('cache hits are a share of the input', () => {
  const spent = { ...nothingSpent, inputTokens: 12_000, cachedTokens: 10_800, outputTokens: 300, cost: 0.02 }
  expect(cachedShare(spent)).toBe('90%')
  expect(cachedShare(nothingSpent)).toBe('–')
  expect(spentLine(spent)).toBe('$0.02: 12k in (90% cached), 300 out')
})

test('months begin and end where they do', () => {
  expect([monthAway('2026-01', -1), monthAway('2026-12', 1)]).toEqual(['2025-12', '2027-01'])
  expect(daysOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(monthWords('2026-11')).toBe('November 2026')
})
