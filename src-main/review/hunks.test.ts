import { describe, expect, test } from 'vitest'
import { applyPicked, hunksBetween } from './hunks'

const hunksOf = (left: string, right: string) => hunksBetween(left, right) ?? expect.fail('too slow')
const count = (left: string, right: string): number =>
  hunksOf(left, right).flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'same')).length

const texts: [string, string][] = [
  ['', 'a\nb\n'],
  ['a\nb\n', ''],
  ['a\nb', 'a\nb\n'],
  ['a\nb\n', 'a\nc'],
  ['a\r\nb\r\n', 'a\r\nc\r\nd\r\n'],
  ['one\ntwo\nthree\n', 'zero\none\n2\nthree\nfour\n'],
  ['x\n'.repeat(30), `${'x\n'.repeat(10)}y\n${'x\n'.repeat(20)}`],
]

describe('picking changes', () => {
  test.each(texts)('%j to %j: all picked is the right text, none the left one', (left, right) => {
    const hunks = hunksOf(left, right)
    expect(applyPicked(left, hunks, () => true)).toBe(right)
    expect(applyPicked(left, hunks, () => false)).toBe(left)
  })

  test('one line of several', () => {
    const left = 'one\ntwo\nthree\n'
    const hunks = hunksOf(left, 'one\n2\nthree\nfour\n')
    const added = hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'add')
    expect(added.map(({ text }) => text)).toEqual(['2', 'four'])
    expect(applyPicked(left, hunks, (index) => index === added[1]?.index)).toBe('one\ntwo\nthree\nfour\n')
  })

  test('random texts: picking some and then the rest leads to the right text', () => {
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    for (let round = 0; round < 500; round++) {
      const lines = Array.from({ length: random(20) }, () => `${random(6)}`)
      const other = lines.flatMap((line) => (random(4) === 0 ? [] : random(4) === 0 ? [line, `${random(6)}`] : [line]))
      const end = (): string => (random(2) === 0 ? '\n' : '')
      const left = lines.join('\n') + end()
      const right = other.join('\n') + end()
      const picked = new Set(Array.from({ length: count(left, right) }, (_, index) => index).filter(() => random(2)))
      const half = applyPicked(left, hunksOf(left, right), (index) => picked.has(index))
      expect(applyPicked(half, hunksOf(half, right), () => true)).toBe(right)
      // Nothing but what was picked has changed: as many changes are left as were not picked, or fewer by chance.
      expect(count(half, right)).toBeLessThanOrEqual(count(left, right))
    }
  })
})
