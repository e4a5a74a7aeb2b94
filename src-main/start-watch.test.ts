import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchStarts } from './start-watch'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-starts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('three crashes within a minute make the next start cautious', () => {
  const starts = [0, 10_000, 20_000, 30_000].map((at) => watchStarts(folder, 1_000_000 + at))
  expect(starts.map(({ cautious }) => cautious)).toEqual([false, false, false, true])
  starts.at(-1)?.ended()
  expect(watchStarts(folder, 1_031_000).cautious).toBe(false)
})

test('orderly ends and old crashes do not count', () => {
  for (let at = 0; at < 10; at++) watchStarts(folder, at * 1000).ended()
  expect(watchStarts(folder, 11_000).cautious).toBe(false)
  for (const at of [100_000, 170_000, 240_000]) watchStarts(folder, at)
  expect(watchStarts(folder, 310_000).cautious).toBe(false)
  expect(watchStarts(folder, 0).cautious).toBe(false)
})

test('a broken file is no obstacle', () => {
  writeFileSync(join(folder, 'starts.json'), '{"unended": "no"}')
  expect(watchStarts(folder, 1).cautious).toBe(false)
  writeFileSync(join(folder, 'starts.json'), 'nonsense')
  expect(watchStarts(folder, 2).cautious).toBe(false)
})

test('a start that did not end in order is known at the next one', () => {
  const first = watchStarts(folder, 0)
  expect(first.crashed).toBe(false)
  const second = watchStarts(folder, 3_600_000)
  expect(second.crashed).toBe(true)
  second.ended()
  expect(watchStarts(folder, 3_700_000).crashed).toBe(false)
})
