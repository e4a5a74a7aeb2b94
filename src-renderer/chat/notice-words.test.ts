import { expect, test } from 'vitest'
import { noticeWords } from './notice-words'

test('a process is told of in one line, without its id', () => {
  const text = 'Background process 98f0-5b (npm run dev) ended with exit code 1.\nIts last output:\noops'
  expect(noticeWords({ kind: 'process-exit', processId: '98f0-5b', text })).toBe(
    'Background process (npm run dev) ended with exit code 1.',
  )
})

test('what the user typed is told to the user as such', () => {
  const text = 'The user typed into process 98f0-5b (cat): "hello"'
  expect(noticeWords({ kind: 'user-typed', processId: '98f0-5b', text })).toBe('You typed into process (cat): "hello"')
})

test('other notices stay whole', () => {
  expect(noticeWords({ kind: 'interrupted', text: 'Interrupted.\nNothing was run again.' })).toBe(
    'Interrupted.\nNothing was run again.',
  )
})

test('people do not read the words that are meant for the model', () => {
  const text = 'Background process 98f0-5b (npm run dev) ended with exit code 1.'
  const forUser = '“npm run dev” failed (exit code 1)'
  expect(noticeWords({ kind: 'process-exit', processId: '98f0-5b', text, forUser })).toBe(forUser)
})
