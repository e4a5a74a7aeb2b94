import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReaderMode } from './reader-mode'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const collect = () => {
  const changes: boolean[] = []
  return { changes, mode: createReaderMode((on) => changes.push(on)) }
}

test('ordinary output stays readable', () => {
  const { changes, mode } = collect()
  for (let i = 0; i < 20; i++) {
    mode.count(5000)
    vi.advanceTimersByTime(100)
  }
  expect(changes).toEqual([])
})

test('rests while output floods, and comes back when it ends', () => {
  const { changes, mode } = collect()
  for (let i = 0; i < 100; i++) {
    mode.count(65_536)
    vi.advanceTimersByTime(20)
  }
  expect(changes).toEqual([false])
  vi.advanceTimersByTime(1500)
  expect(changes).toEqual([false, true])
})

test('a pane that is closed changes nothing any more', () => {
  const { changes, mode } = collect()
  mode.count(1_000_000)
  mode.dispose()
  vi.advanceTimersByTime(5000)
  expect(changes).toEqual([false])
})
