import { expect, test } from 'vitest'
import { testQuestion } from '../state/test-question'
import { deceptionWarning, isDangerous, isUnlocked } from './question'

test('a typed word or a dangerous part makes a question dangerous', () => {
  const part = { text: 'x', verdict: 'ask', reason: '' } as const
  expect([
    isDangerous(testQuestion({})),
    isDangerous(testQuestion({ subCommands: [part] })),
    isDangerous(testQuestion({ subCommands: [part, { ...part, danger: true }] })),
    isDangerous(testQuestion({ typedWord: 'delete' })),
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
  expect(deceptionWarning(testQuestion({ command: 'ls\t-la' }))).toBe('')
  expect(deceptionWarning(testQuestion({ command: 'a\u202eb' }))).toMatch(/^Contains one character/)
  expect(deceptionWarning(testQuestion({ command: 'a\u202eb\u200b' }))).toMatch(/^Contains 2 characters/)
})
