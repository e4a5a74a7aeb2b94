import { expect, test } from 'vitest'
import type { OpenQuestion } from '../state/engine'
import { groupBySession } from './inbox-groups'

const waiting = (id: string, sessionId: string, createdAt: number) =>
  ({ question: { id, sessionId, createdAt }, call: {} }) as OpenQuestion

test('sessions in the order of their oldest question, and questions oldest first', () => {
  const open = [waiting('c', 'two', 30), waiting('a', 'one', 20), waiting('b', 'two', 10), waiting('d', 'one', 40)]
  expect(
    groupBySession(open).map((group) => [group.sessionId, ...group.open.map((entry) => entry.question.id)]),
  ).toEqual([
    ['two', 'b', 'c'],
    ['one', 'a', 'd'],
  ])
})
