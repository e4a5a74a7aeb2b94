import { expect, test } from 'vitest'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { OpenQuestion } from '../state/main-state'
import { groupBySession } from './inbox-groups'

const waiting = (id: string, sessionId: string, createdAt: number) =>
  ({ question: { id, sessionId, createdAt }, call: {} }) as OpenQuestion

test('sessions in the order of their oldest question, and questions oldest first', () => {
  const open = [waiting('c', 'two', 30), waiting('a', 'one', 20), waiting('b', 'two', 10), waiting('d', 'one', 40)]
  expect(
    groupBySession(open, []).map((group) => [group.sessionId, ...group.open.map((entry) => entry.question.id)]),
  ).toEqual([
    ['two', 'b', 'c'],
    ['one', 'a', 'd'],
  ])
})

test('programs that wait stand under their session, behind its questions', () => {
  const program = (id: string, sessionId: string, startedAt: number) => ({ id, sessionId, startedAt }) as ProcessInfo
  const groups = groupBySession(
    [waiting('a', 'one', 20)],
    [program('late', 'two', 9), program('early', 'two', 5), program('beside', 'one', 1)],
  )
  expect(
    groups.map(({ sessionId, open, processes }) => [sessionId, open.length, processes.map(({ id }) => id)]),
  ).toEqual([
    ['one', 1, ['beside']],
    ['two', 0, ['early', 'late']],
  ])
})
