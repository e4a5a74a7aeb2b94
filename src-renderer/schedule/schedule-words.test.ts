import { expect, test } from 'vitest'
import type { ScheduledJob } from '../../src-preload/contract/schedule'
import { deliveryWords, nextWords, sortedJobs, untilTime } from './schedule-words'

const now = new Date(2026, 10, 16, 10, 0).getTime()
const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).getTime()

const job = (name: string, change: Partial<ScheduledJob> = {}): ScheduledJob => ({
  id: name,
  agentId: 'main',
  name,
  enabled: true,
  createdAtMs: 0,
  updatedAtMs: 0,
  schedule: { kind: 'every', everyMs: 60_000 },
  spec: { mode: 'task', message: 'x' },
  state: { nextRunAtMs: at(16, 11) },
  scheduleHuman: '',
  mode: null,
  workspace: null,
  answerMinutes: 60,
  maxCost: 0,
  madeBy: 'user',
  sessionId: null,
  waiting: false,
  ...change,
})

test('a time to come reads as people say it', () => {
  const times = [now + 20_000, at(16, 10, 5), at(16, 13), at(16, 23), at(17, 9), at(19, 9), at(28, 18, 30)]
  expect(times.map((time) => untilTime(time, now))).toEqual([
    'in less than a minute',
    'in 5 min',
    'in 3 h, at 13:00',
    'in 13 h, at 23:00',
    'tomorrow at 09:00',
    'Thursday at 09:00',
    '28 Nov at 18:30',
  ])
})

test('says why a job does not run', () => {
  const clock = { enabled: true, timezone: 'UTC', maxJobs: 1, nextRunAtMs: null }
  expect([
    nextWords(job('a'), clock, now),
    nextWords(job('a', { enabled: false }), clock, now),
    nextWords(job('a'), { ...clock, enabled: false }, now),
    nextWords(job('a', { state: {} }), clock, now),
    nextWords(job('a', { state: { runningAtMs: 1 } }), clock, now),
    nextWords(job('a', { state: { nextRunAtMs: now - 1 } }), clock, now),
  ]).toEqual(['in 1 h, at 11:00', 'off', 'paused', 'never', 'running now', 'due now'])
})

test('what waits comes first, what is off last', () => {
  const jobs = [
    job('off', { enabled: false }),
    job('later', { state: { nextRunAtMs: at(17, 9) } }),
    job('soon'),
    job('runs', { state: { runningAtMs: 1 } }),
    job('waits', { waiting: true, state: { runningAtMs: 1 } }),
  ]
  expect(sortedJobs(jobs).map(({ name }) => name)).toEqual(['waits', 'runs', 'soon', 'later', 'off'])
})

test('says where the answer goes', () => {
  expect([
    deliveryWords({ mode: 'systemEvent', text: 'x' }),
    deliveryWords({ mode: 'task', message: 'x' }),
    deliveryWords({ mode: 'task', message: 'x', deliver: false }),
    deliveryWords({ mode: 'task', message: 'x', channel: 'telegram', to: '12' }),
  ]).toEqual(['sent to the main session', 'shown in the app', 'stays in its session', 'telegram, to 12'])
})
