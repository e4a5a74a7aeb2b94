import { expect, test } from 'vitest'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { arrange, besideOf, neighbour, openPanes } from './order'

const process = (id: string, startedAt: number, more: Partial<ProcessInfo> = {}): ProcessInfo => ({
  id,
  sessionId: 's',
  callId: null,
  node: 'local',
  command: id,
  title: id,
  cwd: '/work',
  pid: 1,
  tty: true,
  byUser: false,
  background: false,
  status: 'running',
  exitCode: null,
  signal: null,
  timedOut: false,
  secretInput: false,
  bytes: 0,
  startedAt,
  endedAt: null,
  ...more,
})
const ended = (id: string, startedAt: number, endedAt: number) =>
  process(id, startedAt, { status: 'exited', exitCode: 0, endedAt })
const ids = (list: ProcessInfo[]) => list.map((each) => each.id)

test('running ones come first, newest on top, then the latest that ended', () => {
  const order = arrange([ended('long', 1, 90), process('old', 2), ended('short', 50, 60), process('new', 40)])
  expect(ids(order.shown)).toEqual(['new', 'old', 'long', 'short'])
  expect(order.earlier).toEqual([])
})

test('ended ones beyond the latest few fold away, running ones never', () => {
  const many = Array.from({ length: 9 }, (_, i) => ended(`e${i}`, i, i + 100))
  const running = Array.from({ length: 6 }, (_, i) => process(`r${i}`, i))
  const order = arrange([...many, ...running])
  expect(ids(order.shown)).toEqual(['r5', 'r4', 'r3', 'r2', 'r1', 'r0', 'e8', 'e7', 'e6'])
  expect(ids(order.earlier)).toEqual(['e5', 'e4', 'e3', 'e2', 'e1', 'e0'])
})

test('a survivor of a restart counts as live, a lost one as ended', () => {
  const order = arrange([
    process('lost', 9, { status: 'lost', endedAt: 10 }),
    process('kept', 1, { status: 'survived' }),
  ])
  expect(ids(order.shown)).toEqual(['kept', 'lost'])
})

test('the first running panes are open, and the latest ended one while there is room', () => {
  const running = ['a', 'b', 'c', 'd'].map((id, i) => process(id, 10 - i))
  expect([...openPanes([...running, ended('z', 1, 2)], {})]).toEqual(['a', 'b', 'c'])
  expect([...openPanes([...running.slice(0, 2), ended('y', 1, 9), ended('z', 1, 2)], {})]).toEqual(['a', 'b', 'y'])
  expect([...openPanes([ended('y', 1, 9), ended('z', 1, 2)], {})]).toEqual(['y'])
})

test('what the user opened or closed holds, except where input is waited for', () => {
  const shown = [process('a', 3), process('b', 2, { secretInput: true }), ended('c', 1, 2)]
  expect([...openPanes(shown, { a: false, b: false, c: true })].sort()).toEqual(['b', 'c'])
})

test('panes are cycled through in both directions', () => {
  expect(neighbour(['a', 'b', 'c'], 'c', 1)).toBe('a')
  expect(neighbour(['a', 'b', 'c'], 'a', -1)).toBe('c')
  expect(neighbour(['a', 'b'], null, 1)).toBe('a')
  expect(neighbour([], null, 1)).toBeUndefined()
})

test('a pane moves by one, and not beyond either end', () => {
  expect([besideOf(['a', 'b', 'c'], 'b', 1), besideOf(['a', 'b', 'c'], 'b', -1)]).toEqual(['c', 'a'])
  expect([besideOf(['a', 'b'], 'b', 1), besideOf(['a', 'b'], 'a', -1), besideOf(['a'], 'x', 1)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
