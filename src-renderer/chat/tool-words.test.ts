import { expect, test } from 'vitest'
import type { ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import { grantWords, repeatsFailure, sizeWords, stateWords } from './tool-words'

const call = (state: ToolState) => ({ state }) as ToolCall

test('a card says what let it run', () => {
  expect(grantWords({ by: 'mode', mode: 'safe', reason: 'It reads inside the workspace' })).toBe(
    'Ran because the mode is “Allow safe reads”: it reads inside the workspace',
  )
  expect(grantWords({ by: 'user', scope: 'session', edited: true, reason: '' })).toBe(
    'You allowed it for this session, after editing it.',
  )
})

test('sizes suit what is shown', () => {
  const done = (display: Extract<ToolState, { status: 'done' }>['display']) =>
    sizeWords(call({ status: 'done', content: [{ type: 'text', text: 'four' }], ...(display ? { display } : {}) }))
  expect(done(undefined)).toBe('4 B')
  expect(done({ type: 'matches', rows: [], total: 1 })).toBe('1 match')
  expect(done({ type: 'matches', rows: [], total: 2, listing: true })).toBe('2 entries')
  expect(done({ type: 'file', path: 'a', startLine: 1, lines: 40, text: '' })).toBe('40 lines')
  expect(done({ type: 'diff', files: [{ path: 'a', kind: 'update', patch: '', added: 4, removed: 2 }] })).toBe('+4 −2')
  expect(
    done({
      type: 'todo',
      items: [
        { text: 'a', status: 'done' },
        { text: 'b', status: 'pending' },
      ],
    }),
  ).toBe('1 of 2')
})

test('an exit code is part of how it went', () => {
  const exited = (exitCode: number | null) =>
    stateWords(
      call({ status: 'done', content: [], display: { type: 'process', processId: 'p', command: 'x', exitCode } }),
    )
  expect([exited(0), exited(1), exited(null)]).toEqual(['done', 'exit code 1', 'still running'])
  expect(stateWords(call({ status: 'denied', message: '' }))).toBe('denied')
  expect(stateWords(call({ status: 'pending' }))).toBe('about to run')
})

test('a failure is not told twice', () => {
  const failed = (message: string, text: string): ToolState => ({
    status: 'failed',
    error: { kind: 'NotFound', message },
    content: [{ type: 'text', text }],
  })
  expect(repeatsFailure(failed('No "a"', JSON.stringify({ error: 'No "a"' })))).toBe(true)
  expect(repeatsFailure(failed('No "a"', 'Error: No "a"'))).toBe(true)
  expect(repeatsFailure(failed('It failed', `It failed\n${'a line of its output\n'.repeat(10)}`))).toBe(false)
  expect(repeatsFailure({ status: 'done', content: [{ type: 'text', text: 'fine' }] })).toBe(false)
})
