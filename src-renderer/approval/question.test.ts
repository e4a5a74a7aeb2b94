import { expect, test } from 'vitest'
import type { Question } from '../../src-preload/contract/approval'
import { deceptionWarning, isDangerous, isUnlocked } from './question'

const question = (more: Partial<Question>): Question => ({
  id: 'q',
  callId: 'c',
  sessionId: 's',
  kind: 'command',
  title: 'Run a command',
  node: 'local',
  reason: '',
  offers: [],
  editable: true,
  ancestry: ['s'],
  createdAt: 0,
  ...more,
})

test('a typed word or a dangerous part makes a question dangerous', () => {
  const part = { text: 'x', verdict: 'ask', reason: '' } as const
  expect([
    isDangerous(question({})),
    isDangerous(question({ subCommands: [part] })),
    isDangerous(question({ subCommands: [part, { ...part, danger: true }] })),
    isDangerous(question({ typedWord: 'delete' })),
  ]).toEqual([false, false, true, true])
})

test('only the very word unlocks, however it is spaced or cased', () => {
  expect(['', 'del', 'delete it', ' Delete '].map((typed) => isUnlocked('delete', typed))).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect(isUnlocked(undefined, '')).toBe(true)
})

test('the warning counts what would be missed', () => {
  expect(deceptionWarning(question({ command: 'ls\t-la' }))).toBe('')
  expect(deceptionWarning(question({ command: 'a\u202eb' }))).toMatch(/^Contains one character/)
  expect(deceptionWarning(question({ command: 'a\u202eb\u200b' }))).toMatch(/^Contains 2 characters/)
})
