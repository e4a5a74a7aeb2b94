import { expect, test } from 'vitest'
import type { Access, Decision } from '../approval/types'
import { recordedChange } from './recorded-change'

const place = { node: 'local', workspace: '/w', cwd: '/w' }
const decision: Decision = {
  verdict: 'allow',
  reason: '',
  subCommands: [],
  ruleIds: [],
  offers: [],
  resources: [],
  targets: [],
}

test('a command may change anything, unless it only reads', () => {
  const access: Access = { ...place, action: 'exec', command: 'make' }
  expect(recordedChange(access, decision)).toEqual({ node: 'local', workspace: '/w', paths: null })
  expect(recordedChange(access, { ...decision, readsOnly: true })).toBe(null)
})

test('what a command changes outside the workspace is named', () => {
  const access: Access = { ...place, action: 'exec', command: 'cp a ~/b && rm c' }
  const subCommands = [
    { text: 'cp a ~/b', verdict: 'allow', reason: '', effects: { reads: ['a'], writes: ['~/b', '/dev/null'] } },
    { text: 'rm c', verdict: 'allow', reason: '', effects: { deletes: ['c'] } },
  ] as const
  const decided = { ...decision, subCommands: structuredClone(subCommands) as unknown as Decision['subCommands'] }
  expect(recordedChange(access, decided)?.beyond).toEqual(['~/b'])
})

test('a file tool changes the files that it names for more than reading', () => {
  const paths = [
    { path: '/w/a', access: 'read' },
    { path: '/w/b', access: 'write' },
    { path: '/w/c', access: 'delete' },
  ] as const
  expect(recordedChange({ ...place, action: 'write', paths }, decision)?.paths).toEqual(['/w/b', '/w/c'])
  expect(recordedChange({ ...place, action: 'read', paths: [paths[0]] }, decision)).toBe(null)
})

test('a file that is reached through a link is looked at where it is', () => {
  const access: Access = { ...place, action: 'write', paths: [{ path: '/w/link/a', access: 'write' }] }
  const targets = [{ kind: 'path', path: '/w/real/a', access: 'write' }] as const
  expect(recordedChange(access, { ...decision, targets: [...targets] })?.paths).toEqual(['/w/link/a', '/w/real/a'])
})

test('what is typed is the doing of the process that reads it', () => {
  expect(recordedChange({ ...place, action: 'exec', command: 'rm a', typed: true, processId: 'p' }, decision)).toBe(
    null,
  )
})
