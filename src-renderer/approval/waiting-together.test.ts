import { expect, test } from 'vitest'
import type { Question } from '../../src-preload/contract/approval'
import type { OpenQuestion } from '../state/main-state'
import { testQuestion } from '../state/test-question'
import { aloneWords, waitingTogether } from './waiting-together'

const open = (callId: string, more: Partial<Question> = {}, messageId = 'm1'): OpenQuestion => {
  const question = testQuestion({ id: `q-${callId}`, callId, createdAt: 1, ...more })
  const call = { id: callId, sessionId: 's', messageId, providerId: callId, name: 'Bash', arguments: '{}', gist: '' }
  return { question, call: { ...call, createdAt: 1, state: { status: 'awaiting', question } } as OpenQuestion['call'] }
}
const ids = (list: Question[] | undefined) => list?.map(({ callId }) => callId)

test('those of one message are answered together, from the first of them', () => {
  const all = [open('a'), open('b'), open('x', {}, 'm2'), open('c')]
  expect(ids(waitingTogether(all, { messageId: 'm1', id: 'a' }, 'first')?.plain)).toEqual(['a', 'b', 'c'])
  expect(waitingTogether(all, { messageId: 'm1', id: 'b' }, 'first')).toBeNull()
  expect(waitingTogether(all, { messageId: 'm2', id: 'x' }, 'first')).toBeNull()
  expect(waitingTogether(all, { messageId: 'm1', id: 'a' }, 'last')).toBeNull()
  expect(ids(waitingTogether(all, { messageId: 'm1', id: 'c' }, 'last')?.plain)).toEqual(['a', 'b', 'c'])
})

test('what needs a word or an answer in words is left out, and that is said', () => {
  const danger = waitingTogether(
    [open('a'), open('b', { typedWord: 'delete' }), open('c')],
    { messageId: 'm1', id: 'a' },
    'first',
  )
  expect([ids(danger?.plain), ids(danger?.alone)]).toEqual([['a', 'c'], ['b']])
  expect(danger && aloneWords(danger)).toBe('One more needs a typed word. Answer it on its own card.')
  const asks = waitingTogether(
    [open('a', { kind: 'ask-user' }), open('b'), open('c')],
    { messageId: 'm1', id: 'a' },
    'first',
  )
  expect(asks && aloneWords(asks)).toBe('One more has to be answered on its own card.')
  expect(
    waitingTogether([open('a'), open('b', { typedWord: 'delete' })], { messageId: 'm1', id: 'a' }, 'first'),
  ).toBeNull()
})
