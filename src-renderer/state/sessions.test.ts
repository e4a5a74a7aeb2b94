import { expect, test } from 'vitest'
import type { Session } from '../../src-preload/contract/protocol'
import { groupByDay, sortedSessions } from './sessions'

const at = (id: string, time: Date) => ({ id, updatedAt: time.getTime() }) as Session
const now = new Date(2026, 10, 16, 0, 30).getTime()

test('sessions stand under the day of their last use, newest first', () => {
  const sessions = [
    at('month', new Date(2026, 9, 25)),
    at('tonight', new Date(2026, 10, 16, 0, 10)),
    at('late yesterday', new Date(2026, 10, 15, 23, 50)),
    at('early yesterday', new Date(2026, 10, 15, 0, 5)),
    at('week', new Date(2026, 10, 10)),
    at('old', new Date(2025, 1, 3)),
  ]
  const sorted = sortedSessions(Object.fromEntries(sessions.map((session) => [session.id, session])))
  const groups = groupByDay(sorted, now).map((group) => [group.label, group.sessions.map((session) => session.id)])
  expect(groups).toEqual([
    ['Today', ['tonight']],
    ['Yesterday', ['late yesterday', 'early yesterday']],
    ['Last 7 days', ['week']],
    ['Last 30 days', ['month']],
    ['February 2025', ['old']],
  ])
})

test('a clock that runs ahead still means today', () => {
  expect(groupByDay([at('future', new Date(2026, 10, 17))], now)[0]?.label).toBe('Today')
})

test('no sessions make no groups', () => {
  expect(groupByDay([], now)).toEqual([])
})
