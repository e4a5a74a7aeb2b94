import { expect, test } from 'vitest'
import type { ReplayCall } from '../../src-preload/contract/replay'
import { clock, pauseWords, statusAt, typedWords } from './replay-words'

const call: ReplayCall = {
  name: 'Bash',
  gist: 'ls',
  createdAt: 10,
  startedAt: 20,
  endedAt: 30,
  asked: true,
  outcome: 'failed',
  terminalId: null,
}

test('a call waits, runs and ends as time goes on', () => {
  expect([10, 19, 20, 29, 30, 99].map((time) => statusAt(call, time))).toEqual([
    'waiting',
    'waiting',
    'running',
    'running',
    'failed',
    'failed',
  ])
  expect(statusAt({ ...call, asked: false, startedAt: null, endedAt: null, outcome: 'open' }, 99)).toBe('pending')
  expect(statusAt({ ...call, startedAt: null, endedAt: 40, outcome: 'denied' }, 40)).toBe('denied')
})

test('times and keys in words', () => {
  expect([clock(7000), clock(754_000), clock(3_723_000)]).toEqual(['0:07', '12:34', '1:02:03'])
  expect([pauseWords(53_000), pauseWords(600_000), pauseWords(36_000_000)]).toEqual([
    'Skipping a pause of 53 s',
    'Skipping a pause of 10 min',
    'Skipping a pause of 10 h',
  ])
  expect([typedWords('user', 'ls\n'), typedWords('agent', 'y\r'), typedWords('user', '')]).toEqual([
    'You typed ls⏎',
    'Agent typed y⏎',
    'You typed hidden text',
  ])
})
