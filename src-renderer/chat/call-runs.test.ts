import { expect, test } from 'vitest'
import type { Message, Part } from '../../src-preload/contract/messages'
import type { ToolCall, ToolState } from '../../src-preload/contract/tool-calls'
import { callRuns, editedPaths, folds, isQuiet, runWords } from './call-runs'

const message = (role: Message['role'], ...parts: Part[]) => ({ role, parts }) as Message
const call = (callId: string): Part => ({ type: 'call', callId })
const text = (words: string): Part => ({ type: 'text', text: words })
const ended = (id: string, exitCode: number): ToolCall =>
  made(id, { status: 'done', content: [], display: { type: 'process', processId: id, command: id, exitCode } } as never)
const made = (id: string, state: ToolState): ToolCall => ({ id, name: 'Bash', state }) as ToolCall
const edit = (id: string, ...paths: string[]): ToolCall =>
  made(id, { status: 'done', display: { type: 'diff', files: paths.map((path) => ({ path })) } } as never)

test('calls run on over messages until something is said', () => {
  const thought: Part = { type: 'reasoning', text: 'hm' }
  const runs = callRuns([
    message('user', text('go')),
    message('assistant', text('I will look.'), call('a'), call('b')),
    message('assistant', thought, call('c')),
    message('assistant', text('  '), call('d')),
    message('assistant', text('Now the rest.'), call('e')),
    message('system', call('f')),
    message('assistant', call('g')),
  ])
  const ids = [...runs].map(([id, run]) => `${id}: ${run.calls.join(' ')}`)
  expect(ids).toEqual(['a: a b c d', 'b: a b c d', 'c: a b c d', 'd: a b c d', 'e: e', 'f: f', 'g: g'])
})

test('only what went well and needs no eye is quiet, and five of it fold', () => {
  const calls = Object.fromEntries(
    [
      ended('a', 0),
      ended('b', 1),
      ended('c', 0),
      edit('e', 'x.ts'),
      ended('f', 0),
      made('d', { status: 'running' } as ToolState),
    ].map((each) => [each.id, each]),
  )
  expect(Object.values(calls).map(isQuiet)).toEqual([true, false, true, true, true, false])
  const run = { id: 'a', calls: ['a', 'b', 'c', 'd', 'e', 'f'] }
  expect(folds(run, calls)).toBe(false)
  expect(folds(run, { ...calls, d: ended('d', 0) })).toBe(true)
})

test('a run is told in one line', () => {
  const many = [...Array(24)].map((_, at) => ended(`c${at}`, at === 7 ? 1 : 0))
  expect(runWords(many)).toEqual({ done: 'Ran 24 commands', failed: '1 failed' })
  const mixed = [ended('a', 0), edit('b', 'x.ts', 'y.ts'), edit('c', 'x.ts')]
  expect(runWords(mixed)).toEqual({ done: 'Ran 1 command, edited 2 files', failed: '' })
  expect(editedPaths(mixed)).toEqual(['x.ts', 'y.ts'])
})
