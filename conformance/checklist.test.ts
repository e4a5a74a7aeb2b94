import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checklist, idsIn, undecidable } from './checklist'

const named = new Set(
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.test.ts') && file !== 'checklist.test.ts')
    .flatMap(
      (file) => readFileSync(join(import.meta.dirname, file), 'utf8').match(/\bS\d-[A-Z][A-Za-z]+-\d\d\b/g) ?? [],
    ),
)

it('has as many lines as the documents', () => {
  expect([...checklist].map(([seed, ids]) => [seed, ids.length])).toEqual([
    ['S0', 219],
    ['S1', 230],
    ['S2', 158],
    ['S3', 162],
    ['S4', 179],
  ])
})

it('is the only source of numbers', () => {
  const known = new Set([...checklist.values()].flat())
  expect([...named, ...undecidable.keys()].filter((id) => !known.has(id))).toEqual([])
})

it('finds the lines in a title', () => {
  expect(idsIn('S0-Gen-01 S0-Gen-02 says something about S0-Gen-03')).toEqual(['S0-Gen-01', 'S0-Gen-02'])
  expect(idsIn('says something')).toEqual([])
})
