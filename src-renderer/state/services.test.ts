import { expect, test } from 'vitest'
import type { ScheduledRun } from '../../src-preload/contract/schedule'
import { emptyMainState, reduce } from './main-state'

const run = (id: string, ts: number, status: ScheduledRun['status'] = 'ok'): ScheduledRun => ({
  id,
  jobId: 'j',
  jobName: 'Job',
  ts,
  status,
  sessionId: null,
})

test('a run joins the history that is open, and replaces itself when it ends', () => {
  const open = { ...emptyMainState, runs: { j: [run('a', 1)] } }
  const begun = reduce(open, { type: 'schedule-run', run: run('b', 2, 'running') })
  const ended = reduce(begun, { type: 'schedule-run', run: run('b', 2, 'error') })
  expect(begun.runs.j?.map((entry) => entry.status)).toEqual(['running', 'ok'])
  expect(ended.runs.j?.map((entry) => entry.status)).toEqual(['error', 'ok'])
})

test('a run of a history that was never read leaves it unread', () => {
  expect(reduce(emptyMainState, { type: 'schedule-run', run: run('a', 1) }).runs).toEqual({})
})

test('announcements without data count, so that whoever shows the files reads them again', () => {
  const once = reduce(emptyMainState, { type: 'skills' })
  const twice = reduce(once, { type: 'skills' })
  expect([once.skillChanges, twice.skillChanges]).toEqual([1, 2])
})
