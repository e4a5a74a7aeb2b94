import { expect, it } from 'vitest'
import type { ImportItem } from '../../src-preload/contract/moving-in'
import { groupsOf, preset, toolList } from './import-words'

const item = (id: string, more: Partial<ImportItem>): ImportItem => ({
  id,
  tool: 'claude',
  kind: 'mcp',
  name: id,
  from: '',
  becomes: '',
  detail: '',
  state: 'ready',
  note: '',
  ...more,
})

it('groups by program and kind, with what can be taken first', () => {
  const groups = groupsOf([
    item('a', { tool: 'codex' }),
    item('b', { state: 'not' }),
    item('c', {}),
    item('d', { kind: 'rule' }),
  ])
  expect(
    groups.map(({ tool, kinds }) => [tool, kinds.map(({ kind, items }) => [kind, items.map(({ id }) => id)])]),
  ).toEqual([
    [
      'claude',
      [
        ['mcp', ['c', 'b']],
        ['rule', ['d']],
      ],
    ],
    ['codex', [['mcp', ['a']]]],
  ])
})

it('ticks by itself only what lets nothing run unasked', () => {
  expect(
    [item('a', {}), item('b', { kind: 'rule' }), item('c', { kind: 'hook' }), item('d', { state: 'taken' })].map(
      preset,
    ),
  ).toEqual([true, false, false, false])
  expect(toolList(['claude', 'codex', 'gemini'])).toBe('Claude Code, Codex and Gemini CLI')
})
