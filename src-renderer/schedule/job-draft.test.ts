import { describe, expect, test } from 'vitest'
import type { ScheduledJob } from '../../src-preload/contract/schedule'
import { draftErrors, draftFromJob, newDraft, toAdd, toSchedule, toUpdate } from './job-draft'

const job: ScheduledJob = {
  id: 'j',
  agentId: 'main',
  name: 'Report',
  enabled: true,
  createdAtMs: 0,
  updatedAtMs: 0,
  schedule: { kind: 'every', everyMs: 7_200_000 },
  spec: { mode: 'task', message: 'Look', channel: 'slack', to: '#ops', thinking: 'high', timeoutSeconds: 90 },
  state: {},
  scheduleHuman: 'every 2 hours',
  mode: 'safe',
  workspace: '/w',
  answerMinutes: 30,
  maxCost: 0,
  madeBy: 'user',
  sessionId: null,
  waiting: false,
}

describe('when', () => {
  test('each kind says it the way the engine reads it', () => {
    const draft = newDraft('Europe/Berlin')
    expect(toSchedule({ ...draft, when: 'at', at: ' tomorrow at 9 ' })).toEqual({ kind: 'at', at: 'tomorrow at 9' })
    expect(toSchedule({ ...draft, when: 'every', every: '1.5', unit: 'days' })).toEqual({
      kind: 'every',
      everyDays: 1.5,
    })
    expect(toSchedule({ ...draft, when: 'cron', expr: '0 9 * * *' })).toEqual({
      kind: 'cron',
      expr: '0 9 * * *',
      tz: 'Europe/Berlin',
    })
  })

  test('a field that is missing means there is nothing to preview', () => {
    const draft = newDraft('UTC')
    expect(toSchedule({ ...draft, when: 'at' })).toBeNull()
    expect(toSchedule({ ...draft, when: 'every', every: '0' })).toBeNull()
    expect(toSchedule({ ...draft, when: 'cron' })).toBeNull()
  })
})

test('a job comes back out of the form as it went in', () => {
  const draft = draftFromJob(job, 'UTC')
  expect(draft).toMatchObject({ when: 'every', every: '2', unit: 'hours', timeoutMinutes: '1.5', thinking: 'high' })
  expect(toUpdate(draft, draft, 'j')).toEqual({
    id: 'j',
    name: 'Report',
    deleteAfterRun: false,
    spec: {
      mode: 'task',
      message: 'Look',
      deliver: true,
      channel: 'slack',
      to: '#ops',
      thinking: 'high',
      timeoutSeconds: 90,
    },
    mode: 'safe',
    workspace: '/w',
    answerMinutes: 30,
    maxCost: 0,
  })
})

test('times are sent only when they were changed', () => {
  const draft = draftFromJob(job, 'UTC')
  expect(toUpdate({ ...draft, name: 'Other' }, draft, 'j')).not.toHaveProperty('schedule')
  expect(toUpdate({ ...draft, every: '3' }, draft, 'j')).toHaveProperty('schedule', { kind: 'every', everyHours: 3 })
})

test('a message into the main session carries nothing of a task', () => {
  const draft = newDraft('UTC', { name: 'Hi', what: 'systemEvent', text: 'Look', when: 'at', at: 'in 5 minutes' })
  const schedule = toSchedule(draft)
  expect(schedule && toAdd(draft, schedule)).toEqual({
    name: 'Hi',
    agentId: 'main',
    deleteAfterRun: true,
    schedule: { kind: 'at', at: 'in 5 minutes' },
    spec: { mode: 'systemEvent', text: 'Look' },
    mode: null,
    workspace: null,
    maxCost: 0,
  })
})

test('every field that is wrong says so', () => {
  const wrong = newDraft('UTC', { timeoutMinutes: 'x', answerMinutes: '0', maxCost: 'much' })
  expect(Object.keys(draftErrors(wrong))).toEqual([
    'name',
    'expr',
    'text',
    'timeoutMinutes',
    'answerMinutes',
    'maxCost',
  ])
  expect(draftErrors({ ...wrong, when: 'every', every: '-1' }).every).toBeDefined()
  expect(draftErrors(draftFromJob(job, 'UTC'))).toEqual({})
})
