import { expect, test } from 'vitest'
import type { RewindStep } from '../../src-preload/contract/rewind'
import { confirmWords, scopesOf } from './rewind-words'

const step = { workspace: '/w', path: 'a' } as RewindStep

test('only what there is can be chosen, both first', () => {
  const values = (messages: number, steps: RewindStep[]) =>
    scopesOf({ messages, steps, stays: [] }).map(({ value }) => value)
  expect(values(2, [step])).toEqual(['both', 'chat', 'files'])
  expect(values(2, [])).toEqual(['chat'])
  expect(values(0, [step])).toEqual(['files'])
  expect(values(0, [])).toEqual([])
})

test('the button says what it does', () => {
  expect([confirmWords(3, 1), confirmWords(1, 0), confirmWords(0, 2), confirmWords(0, 0)]).toEqual([
    'Remove 3 messages, restore 1 file',
    'Remove 1 message',
    'Restore 2 files',
    'Go back',
  ])
})
