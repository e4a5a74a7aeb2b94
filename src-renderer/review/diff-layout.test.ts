import { expect, test } from 'vitest'
import type { ReviewLine } from '../../src-preload/contract/review'
import { placeOf, shownHunks, splitRows } from './diff-layout'

const same = (text: string, at: number): ReviewLine => ({ kind: 'same', text, before: at, after: at })
const lines: ReviewLine[] = [
  same('a', 1),
  { kind: 'remove', text: 'b', before: 2, index: 0 },
  { kind: 'remove', text: 'c', before: 3, index: 1 },
  { kind: 'add', text: 'B', after: 2, index: 2 },
  same('d', 4),
  { kind: 'add', text: 'e', after: 4, index: 3 },
]

test('what was removed stands beside what came instead', () => {
  expect(splitRows(lines).map(({ left, right }) => [left?.line.text, right?.line.text])).toEqual([
    ['a', 'a'],
    ['b', 'B'],
    ['c', undefined],
    ['d', 'd'],
    [undefined, 'e'],
  ])
})

test('long diffs are cut inside a hunk', () => {
  const hunk = { before: 1, after: 1, lines }
  const { shown, rest } = shownHunks([hunk, hunk], 8)
  expect(shown.map((each) => each.lines.length)).toEqual([6, 2])
  expect(rest).toBe(4)
})

test('a comment belongs to the new text where there is one', () => {
  expect(placeOf(lines.slice(1, 4))).toEqual({ side: 'after', line: 2, endLine: 2 })
  expect(placeOf(lines.slice(1, 3))).toEqual({ side: 'before', line: 2, endLine: 3 })
  expect(placeOf([])).toBeNull()
})
